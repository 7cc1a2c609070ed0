#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/text/numbers_by_name.h"
#include "core/dumps/msprobe/json_tree.h"

namespace ulp::dumps::msprobe {

/// Where in its entry a record stands.
enum class Section : std::uint8_t { Input, Parameters, Output, Gradient, Saved };

enum class ScalarKind : std::uint8_t {
  None,
  Text,
  Integer,
  Float,
  Flag  ///< in tables of comparators alone; dumps are read as Text
};
/// A number or text as the file has it: integers and floats are kept apart because tables print
/// them as Python does.
struct Scalar {
  ScalarKind kind = ScalarKind::None;
  double number = 0;   ///< of an Integer (rounded) or Float
  std::string text{};  ///< of a Text; the digits of an Integer; "True" or "False" of a Flag

  [[nodiscard]] bool isNumber() const {
    return kind == ScalarKind::Integer || kind == ScalarKind::Float;
  }
};
/// As Python prints it.
[[nodiscard]] std::string printed(const Scalar& scalar);

/// An argument, result, parameter or gradient: a row of msprobe's tables.
struct Record {
  std::string name;   ///< that of its file without the ending, where there is one
  std::string index;  ///< "0", "position_embeddings.0", "weight": the same in all modes
  Section section = Section::Input;
  bool isTensor = false;
  std::optional<std::string> dtype{};  ///< "torch.float32", "<class 'int'>"; nothing for null
  std::optional<std::string> shape{};  ///< as Python prints it
  std::vector<std::int64_t> dimensions{};
  std::array<Scalar, 4> statistics{};  ///< max, min, mean, norm; text "None" where null
  std::string requiresGrad{};          ///< "True", "False"; empty: not said
  std::string checksum{};              ///< as msprobe compares it; empty for null
  bool hasChecksum = false;            ///< a place for it stands in the file
  bool isChecksumMade = false;         ///< by msprobe's comparator, of the value: the file has none
  std::string value{};                 ///< of what is no tensor, printed
  std::string argument{};  ///< as it stands in the file, an object of JSON; empty: `value` tells it
  std::string fileName{};  ///< below dump_tensor_data; empty: none
};

/// A list or object below another that holds nothing: no record stands for it.
struct EmptyContainer {
  Section section = Section::Input;
  std::string index;
  bool isList = false;
};

struct EntryRecords {
  std::string name;
  std::size_t first = 0;
  std::size_t count = 0;
  std::vector<EmptyContainer> empties{};
};

enum class Task : std::uint8_t { Statistics, Tensor, Structure, Other };

/// dump.json or debug.json.
struct DumpJson {
  std::filesystem::path path;
  std::string task;
  std::string level;
  std::string framework = "pytorch";
  std::vector<EntryRecords> entries;  ///< in the order of the file, which is that of execution
  std::vector<Record> records;
  bool hasChecksums = false;          ///< a record brings its checksum
  bool hasNumberedGradients = false;  ///< mark of 26.x
  bool hasBareGradients = false;      ///< mark of 8.x
  std::vector<std::string> notes;     ///< what is wrong and leaves the rest usable
};

/// Reads it by streaming; of a file that breaks off, every entry before the break. Errors:
/// NotFound, Io, CorruptData (no `data`, or nothing complete in a file that breaks off), Cancelled.
[[nodiscard]] Result<DumpJson> readDumpJson(const std::filesystem::path& path,
                                            const std::stop_token& stop = {},
                                            const ReadProgress& progress = {});
/// The same of bytes; `path` is for messages.
[[nodiscard]] Result<DumpJson> parseDumpJson(std::string_view bytes,
                                             const std::filesystem::path& path);

/// What the first part of a file tells.
struct DumpHead {
  std::string task;
  std::string level;
  std::string checksum;  ///< the first one that is there
  bool holdsEntries = false;
  bool hasNumberedGradients = false;
  bool hasBareGradients = false;
};
/// Reads little; nothing where the file is not msprobe's.
[[nodiscard]] std::optional<DumpHead> readDumpHead(const std::filesystem::path& path);
/// Whether its first part is lost: the file cannot be opened, is empty, or is no JSON from some
/// place on. What is whole and of another tool is not broken.
[[nodiscard]] bool isStartBroken(const std::filesystem::path& path);

/// Appends the records of an entry in the order of msprobe's tables: inputs, parameters, outputs,
/// gradients. Returns the empty containers among inputs and outputs.
[[nodiscard]] std::vector<EmptyContainer> appendRecords(std::vector<Record>& records,
                                                        std::string_view entry,
                                                        const JsonTree& value,
                                                        std::vector<std::string>& notes);

/// stack.json: the frames of calls, innermost first; calls from the same place share one record.
struct CallStacks {
  std::vector<std::vector<std::string>> stacks;
  NumbersByName byEntry;  ///< in stacks
  std::vector<std::string> notes;
};

/// Both forms: of 26.x, `{"0": [[entries], [frames]]}`, and the old `{entry: [frames]}`. Errors:
/// NotFound, Io, Cancelled; a file that breaks off gives what is complete, and a note.
[[nodiscard]] Result<CallStacks> readCallStacks(const std::filesystem::path& path,
                                                const std::stop_token& stop = {});

/// construct.json: which module call encloses an entry.
struct Construct {
  /// Entries, as they stand in the file, and their parents; no parent: none above it.
  struct Call {
    std::string name;
    std::string parent;
  };
  std::vector<Call> calls;
  NumbersByName places;  ///< in calls
  std::vector<std::string> notes;

  /// Null: the file does not name it.
  [[nodiscard]] const Call* find(std::string_view name) const {
    const auto place = places.find(name);
    return place ? &calls[*place] : nullptr;
  }
};
/// Errors as above.
[[nodiscard]] Result<Construct> readConstruct(const std::filesystem::path& path,
                                              const std::stop_token& stop = {});

}  // namespace ulp::dumps::msprobe
