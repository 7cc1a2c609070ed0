#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/interface.h"
#include "core/base/result.h"
#include "core/base/site.h"
#include "core/base/text/sentence.h"
#include "core/base/unit_axes.h"
#include "core/dumps/model/placement.h"
#include "core/dumps/model/replica_check.h"
#include "core/tensors/archive/tensor_archive.h"

/// What tools recorded of a run: tensors, or numbers and checksums in their place, in the order of
/// execution. Every importer gives this; matching and comparison know nothing else.
namespace ulp::dumps {

namespace msit {
struct ModelStructure;
}  // namespace msit

/// What of an operation a row holds.
enum class Role : std::uint8_t {
  Input,
  Parameter,
  Output,
  OutputGradient,     ///< that arrives: of the loss with respect to a forward output
  InputGradient,      ///< that leaves: of the loss with respect to a forward input
  ParameterGradient,  ///< of the loss with respect to a parameter
  Value               ///< a tensor of which nobody knows what made it
};
[[nodiscard]] std::string_view toString(Role role);
/// Nothing for a word that toString() does not give.
[[nodiscard]] std::optional<Role> parseRole(std::string_view name);
/// The operation read it rather than made it.
[[nodiscard]] constexpr bool isRead(Role role) {
  return role == Role::Input || role == Role::Parameter || role == Role::OutputGradient;
}

/// Four numbers that a dumper wrote of a tensor. NaN and infinities are values; nothing: not
/// written.
struct Statistics {
  std::optional<double> max;
  std::optional<double> min;
  std::optional<double> mean;
  std::optional<double> norm;  ///< L2, of all elements

  [[nodiscard]] bool isEmpty() const { return !max && !min && !mean && !norm; }
  /// All four, in the order above.
  [[nodiscard]] std::array<std::optional<double>, 4> all() const { return {max, min, mean, norm}; }
};
/// Tells whether both are lacking or equal; NaN equals NaN.
[[nodiscard]] bool isSame(const std::optional<double>& left, const std::optional<double>& right);

/// Tells whether this holds for each of the four numbers.
[[nodiscard]] bool isSame(const Statistics& left, const Statistics& right);

/// What statistics of the parts tell of all their elements together. Maximum and minimum of the
/// extremes, the mean weighted by counts, the L2 norm as the root of the sum of squares; a number
/// that a part lacks is not known of the whole. Source: definitions; the norm adds in double.
[[nodiscard]] Statistics together(std::span<const Statistics> parts,
                                  std::span<const std::uint64_t> counts);

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// A tensor, or another argument, of an entry.
struct DumpRow {
  std::string name;  ///< as the tool calls it: "Functional.linear.3.forward.input.1"
  Role role = Role::Value;
  /// Which one of its role: "0", "position_embeddings.0", "weight"; empty where there is but one.
  std::string index{};
  std::string dtype{};  ///< in the tool's words, "torch.bfloat16"; empty: not a tensor, or not said
  std::vector<std::int64_t> shape{};
  Statistics statistics{};
  std::string checksum{};  ///< empty: none
  std::string value{};     ///< of an argument that is no tensor; empty for tensors
  /// DumpUnit::read() gives them, or says why the file that should hold them cannot be read.
  bool hasElements = false;
  /// Of a tensor that several ranks hold alike; null: one rank has it, or they hold parts.
  std::shared_ptr<ReplicaCheck> replicas{};
  std::optional<bool> requiresGrad{};  ///< of a tensor; nothing: not said
  /// What is known of `value` beyond its printed form: an object of JSON in msprobe's words,
  /// {"type": "str", "value": "8"}. Empty: nothing; the print of a number or truth value tells all.
  std::string argument{};
  /// Of a tensor that several ranks have together; null: it is not, or it does not say so.
  std::shared_ptr<const Placement> placement{};
};

/// Rather than another argument, or None: something is known of it that tensors have.
[[nodiscard]] bool isTensor(const DumpRow& row);

enum class EntryKind : std::uint8_t { Api, Module, Gradient, Saved, Tensor };
[[nodiscard]] std::string_view toString(EntryKind kind);

/// A list or object among the arguments or results of a call that holds nothing, so that no row
/// stands for it.
struct EmptyArgument {
  Role role = Role::Value;
  std::string index{};  ///< as DumpRow::index
  bool isList = false;
};

/// One call of an operation or module, or the gradients of a module's parameters.
struct DumpEntry {
  std::string name;  ///< as the tool calls it: "Module.model.norm.LlamaRMSNorm.forward.0"
  EntryKind kind = EntryKind::Tensor;
  Pass pass = Pass::Forward;
  /// "model.layers.1.mlp" for modules and their gradients; for calls of an API the module that
  /// encloses them, where the dump says; else empty.
  std::string module{};
  std::string operation{};     ///< class of the module, or the API: "LlamaMLP", "Functional.linear"
  std::uint64_t call = 0;      ///< how many calls of the same came before
  std::size_t parent = kNone;  ///< in DumpUnit::entries: the enclosing module call
  std::size_t stack = kNone;   ///< in DumpUnit::stacks
  std::size_t firstRow = 0;    ///< in DumpUnit::rows
  std::size_t rowCount = 0;
  std::vector<EmptyArgument> empties{};

  /// The places of its rows, in DumpUnit::rows.
  [[nodiscard]] auto rows() const { return std::views::iota(firstRow, firstRow + rowCount); }
  /// A tensor that the tool recorded by a name: it belongs to no call.
  [[nodiscard]] bool isNamed() const {
    return kind == EntryKind::Tensor || kind == EntryKind::Saved;
  }
};

using ulp::UnitAxes;

/// The tensor of a file that holds one, as tools record it: `.npy` of NumPy, `.bin` of ATB, else of
/// torch.save. Errors: those of the readers.
[[nodiscard]] Result<tensors::Tensor> readTensorFile(const std::filesystem::path& file);

/// A unit's content. Immutable; read() is thread-safe.
class DumpUnit : public Interface {
 public:
  UnitAxes axes;
  std::vector<DumpEntry> entries;                ///< in order of execution
  std::vector<DumpRow> rows;                     ///< those of an entry stand together, in its order
  std::vector<std::vector<std::string>> stacks;  ///< frames, innermost first
  /// What is wrong with the dump but leaves the rest usable: `file: what; remedy`.
  std::vector<Sentence> notes;
  /// The model as msit describes it beside the tensors; null: it does not.
  std::shared_ptr<const msit::ModelStructure> structure;

  /// Starts an entry; rows that are added after it are its own. Returns its number.
  std::size_t addEntry(DumpEntry entry) {
    entry.firstRow = rows.size();
    entry.rowCount = 0;
    entries.push_back(std::move(entry));
    return entries.size() - 1;
  }
  /// A row of the last entry.
  void addRow(DumpRow row) {
    rows.push_back(std::move(row));
    entries.back().rowCount += 1;
  }

  /// The elements of rows[row], mapped from their file where that is possible. Errors: NotFound
  /// (hasElements is false, or the file is missing), CorruptData, Unsupported, Io.
  [[nodiscard]] virtual Result<tensors::Tensor> read(std::size_t row) const = 0;
  /// The same for who looks at a part of it, as CaptureReader::look(): elements that are on another
  /// machine may come as they are asked for.
  [[nodiscard]] virtual Result<tensors::Tensor> look(std::size_t row) const { return read(row); }
};
using DumpUnitPtr = std::shared_ptr<const DumpUnit>;

/// True if `isSought(call)` is for a call around `entry`; it is asked from the innermost outwards,
/// until it is true. Calls nested more than 64 deep are not asked: a damaged dump can name a
/// circle.
template <class IsSought>
bool anyEnclosing(const DumpUnit& unit, std::size_t entry, IsSought&& isSought) {
  constexpr std::size_t kDeepest = 64;
  std::size_t call = unit.entries[entry].parent;
  for (std::size_t depth = 0; depth < kDeepest && call != kNone; ++depth) {
    if (isSought(call)) {
      return true;
    }
    call = unit.entries[call].parent;
  }
  return false;
}

/// Names of the calls around `entry`, the innermost first.
[[nodiscard]] inline std::vector<std::string> enclosingCalls(const DumpUnit& unit,
                                                             std::size_t entry) {
  std::vector<std::string> names;
  anyEnclosing(unit, entry, [&](std::size_t call) {
    names.push_back(unit.entries[call].name);
    return false;
  });
  return names;
}

/// Told how much of `total` is done, in whatever unit the importer counts.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// A unit before it is read.
struct UnitInfo {
  UnitAxes axes{};
  std::filesystem::path path{};  ///< the file or folder that holds it
  /// Reads the unit. Errors: NotFound, CorruptData (`file: place: what`), Unsupported, Io,
  /// Cancelled.
  std::function<Result<DumpUnitPtr>(
      const UnitInfo& unit, const std::stop_token& stop, const Progress& progress)>
      open{};
};

/// What the ranks of a dump have of its model.
enum class RankShares : std::uint8_t {
  Unsaid,
  Data,   ///< the same parameters or parts of each, and data of their own (DDP, FSDP)
  Tensor  ///< parts of parameters, and the same data
};

/// A dump of one run: its units, read when asked for.
struct Dump {
  std::string importer{};        ///< id of its importer: "msprobe"
  std::string format{};          ///< for people: "msprobe 26.x, tensors, level mix"
  std::filesystem::path path{};  ///< as opened
  /// Checksums of two dumps say something only where this is equal: "crc32 of the bytes". Empty:
  /// there are none.
  std::string checksumKind{};
  RankShares shares = RankShares::Unsaid;
  /// Of RankShares::Data: by what the sum of the ranks' gradients is divided for those of
  /// parameters. 0: by their number.
  double gradientDivisor = 0;
  /// Of RankShares::Data: the ranks that have parts of the same parameters and the same data, in
  /// the order of their parts; in the order of the data. Empty: no parameter is divided so.
  std::vector<std::vector<std::int64_t>> tensorGroups{};
  std::vector<UnitInfo> units{};  ///< by run, step, rank, token
  std::vector<Sentence> notes{};  ///< as DumpUnit::notes, of the whole

  /// Errors: those of UnitInfo::open; Unsupported for a name of more than kLongestTensorName bytes.
  [[nodiscard]] Result<DumpUnitPtr> openUnit(std::size_t unit,
                                             const std::stop_token& stop = {},
                                             const Progress& progress = {}) const;
};
using DumpPtr = std::shared_ptr<const Dump>;

/// Error: InvalidArgument, naming the units that `dump` has, where `choice` fits none of them.
[[nodiscard]] Result<> checkChoice(const std::filesystem::path& dump,
                                   std::span<const UnitAxes> units,
                                   const UnitAxes& choice);

/// The dump with the units alone that `choice` fits. Errors: those of checkChoice().
[[nodiscard]] Result<DumpPtr> chooseUnits(DumpPtr dump, const UnitAxes& choice);

}  // namespace ulp::dumps
