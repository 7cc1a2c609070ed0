#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"
#include "core/dumps/importers/importer.h"
#include "core/dumps/model/folders.h"
#include "core/tensors/archive/byte_source.h"

/// What torchtitan's activation tracer wrote of one training step; docs/formats/torchtitan.md.
namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTitanHead = "Total captured activations: ";
constexpr std::string_view kTitanRank = "rank_";
constexpr std::string_view kTitanName = "_activations.log";
/// <outputs>/<run>/numerics/rank_<rank>_activations.log
constexpr int kTitanDepth = 4;
constexpr std::size_t kMostTitanEntries = 20'000;  ///< looked at for logs

bool isCalledTitanLog(const fs::path& file) {
  return file.filename().string().ends_with(kTitanName);
}

/// By name: the order in which a folder lists its files is not the same everywhere.
std::vector<fs::path> titanLogsAt(const fs::path& path) {
  if (!isFolder(path)) {
    return isFile(path) ? std::vector{path} : std::vector<fs::path>();
  }
  std::vector<fs::path> logs;
  std::size_t looked = 0;
  eachEntry(
      path,
      [&](const fs::directory_entry& entry) {
        std::error_code ignored;
        if (isCalledTitanLog(entry.path()) && entry.is_regular_file(ignored)) {
          logs.push_back(entry.path());
        }
        return ++looked < kMostTitanEntries;
      },
      kTitanDepth);
  std::ranges::sort(logs, naturallyBefore, [](const fs::path& log) -> const std::string& {
    return log.native();
  });
  return logs;
}

bool isTitanLog(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string start(kTitanHead.size(), '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  return stream.gcount() == static_cast<std::streamsize>(start.size()) && start == kTitanHead;
}

Claim recogniseTitan(const fs::path& path) {
  const std::vector<fs::path> logs = titanLogsAt(path);
  if (std::ranges::any_of(logs, isTitanLog)) {
    return Claim::Certain;
  }
  return std::ranges::any_of(logs, isCalledTitanLog) ? Claim::Damaged : Claim::No;
}

/// "layers.0" of "FSDPLlama3Model.layers.0": earlier versions put the model's class in front.
std::string_view withoutRootClass(std::string_view module) {
  const auto isCapital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const std::size_t dot = module.find('.');
  const std::string_view root = module.substr(0, dot);
  const bool isClass = dot != std::string_view::npos && std::ranges::count_if(root, isCapital) > 1;
  return isClass && isCapital(root.front()) ? module.substr(dot + 1) : module;
}

/// What stands between two texts of a line.
std::optional<std::string_view> between(std::string_view line,
                                        std::string_view begin,
                                        std::string_view end) {
  const std::size_t from = line.find(begin);
  if (from == std::string_view::npos) {
    return std::nullopt;
  }
  line.remove_prefix(from + begin.size());
  const std::size_t to = line.find(end);
  return to == std::string_view::npos ? std::nullopt : std::optional(line.substr(0, to));
}

std::vector<std::string_view> listed(std::string_view list, char separator) {
  std::vector<std::string_view> items =
      list.empty() ? std::vector<std::string_view>() : split(list, separator);
  for (std::string_view& item : items) {
    item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
  }
  return items;
}

/// A block of the log, as views into it.
struct TitanBlock {
  std::string_view key;  ///< "layers.0.attention.wq/op_3_mm"
  std::string_view shape, norm, min, max, mean;
  std::string_view outputs;    ///< L1 norms, of every result
  std::string_view inputs;     ///< the same, of every tensor that goes in, before the operation
  std::string_view producers;  ///< keys, empty where nothing recorded has made the input
  std::string_view location, phase;
};

/// Takes "  Min: -1.5" into the block; what is not known is passed over, as torchtitan does.
void takeLine(TitanBlock& block, std::string_view line) {
  struct Field {
    std::string_view name;
    std::string_view TitanBlock::*value;
  };
  static constexpr std::array<Field, 11> kFields{{{"Shape: ", &TitanBlock::shape},
                                                  {"L1 norm: ", &TitanBlock::outputs},
                                                  {"L2 norm: ", &TitanBlock::norm},
                                                  {"Min: ", &TitanBlock::min},
                                                  {"Max: ", &TitanBlock::max},
                                                  {"Mean: ", &TitanBlock::mean},
                                                  {"Output hash: ", &TitanBlock::outputs},
                                                  {"Input hashes: ", &TitanBlock::inputs},
                                                  {"Input producers: ", &TitanBlock::producers},
                                                  {"Location: ", &TitanBlock::location},
                                                  {"Phase: ", &TitanBlock::phase}}};
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  for (const auto& [name, value] : kFields) {
    if (line.starts_with(name)) {
      block.*value = line.substr(name.size());
    }
  }
}

class TitanUnit final : public DumpUnit {
 public:
  explicit TitanUnit(fs::path log) : m_log(std::move(log)) {}

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: '{}' has no elements: torchtitan logs statistics alone; record "
                            "with ulpscope_recorder.py to have elements",
                            m_log.string(),
                            rows[row].name));
  }

 private:
  fs::path m_log;
};

/// Reads the blocks of a log into a unit.
class TitanReader {
 public:
  TitanReader(fs::path log, UnitAxes axes)
      : m_log(std::move(log)), m_unit(std::make_shared<TitanUnit>(m_log)) {
    m_unit->axes = std::move(axes);
  }

  Result<DumpUnitPtr> read(const std::stop_token& stop, const Progress& progress) {
    const auto source = ULP_TRY(tensors::openByteSource(m_log));
    const std::string_view text(reinterpret_cast<const char*>(source.bytes.data()),
                                source.bytes.size());
    if (!text.starts_with(kTitanHead)) {
      return fail(
          ErrorCode::CorruptData,
          fmt::format(
              "{}: line 1: does not say '{}…'; copy the file again", m_log.string(), kTitanHead));
    }
    TitanBlock block;
    for (std::size_t begin = 0; begin < text.size();) {
      if (stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "reading a log of torchtitan was cancelled");
      }
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = text.substr(begin, end - begin);
      begin = end + 1;
      if (const auto key = line.starts_with('[') ? between(line, "[", "]") : std::nullopt) {
        ULP_TRY(add(block));
        block = {.key = *key};
      } else {
        takeLine(block, line);
      }
      if (progress && m_unit->entries.size() % 256 == 0) {
        progress(begin, text.size());
      }
    }
    ULP_TRY(add(block));
    ULP_TRY(tensors::checkIntact(source.file.get()));
    noteWhatIsMissing(text.substr(kTitanHead.size()));
    return m_unit;
  }

 private:
  /// What the log tells of a tensor that an operation made.
  struct Made {
    std::string dtype;
    Statistics statistics;
    std::string hash;
  };

  Result<> add(const TitanBlock& block) {
    if (block.key.empty()) {
      return {};
    }
    addCall(block);
    std::vector<std::string_view> producers = listed(block.producers, ';');
    const std::vector<std::string_view> inputs = listed(block.inputs, ',');
    producers.resize(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      addInput(i, inputs[i], producers[i]);
    }
    return addOutputs(block);
  }

  /// The counter in "op_12_mm" counts all operations of the module and differs between modes of
  /// running; the call is counted among the same operations.
  void addCall(const TitanBlock& block) {
    const std::size_t slash = block.key.rfind("/op_");
    const std::string_view module =
        slash == std::string_view::npos ? "" : withoutRootClass(block.key.substr(0, slash));
    std::string_view operation =
        slash == std::string_view::npos ? block.key : block.key.substr(slash + 4);
    operation.remove_prefix(std::min(operation.find('_') + 1, operation.size()));
    DumpEntry entry{.name = std::string(block.key),
                    .kind = EntryKind::Api,
                    .pass = block.phase == "backward" ? Pass::Backward : Pass::Forward,
                    .module = std::string(module == "<none>" ? "" : module),
                    .operation = std::string(operation)};
    entry.call = m_calls[fmt::format("{}|{}|{}", block.phase, entry.module, operation)]++;
    if (!block.location.empty()) {
      const auto [place, isNew] =
          m_stacks.emplace(std::string(block.location), m_unit->stacks.size());
      if (isNew) {
        m_unit->stacks.push_back({place->first});
      }
      entry.stack = place->second;
    }
    m_unit->addEntry(std::move(entry));
  }

  [[nodiscard]] DumpRow rowOf(Role role, std::size_t number) const {
    return {.name = fmt::format("{}.{}.{}", m_unit->entries.back().name, toString(role), number),
            .role = role,
            .index = fmt::format("{}", number)};
  }

  /// A tensor that an operation before made has the numbers that were logged of it: of the one that
  /// is named, else of the last with the same L1 norm, since views keep all of them, though not the
  /// shape. Of others the L1 norm is all that is known.
  void addInput(std::size_t number, std::string_view hash, std::string_view producer) {
    DumpRow row = rowOf(Role::Input, number);
    const auto named = m_byKey.find(std::string(producer));
    const bool isIntact = named != m_byKey.end() && m_made[named->second].hash == hash;
    const auto same = m_byHash.find(std::string(hash));
    if (isIntact || same != m_byHash.end()) {
      const Made& made = m_made[isIntact ? named->second : same->second];
      row.dtype = made.dtype;
      row.statistics = made.statistics;
    } else {
      addNormAlone(row, hash);
    }
    m_unit->addRow(std::move(row));
  }

  /// One number of NaN makes all others NaN, and an infinite L1 norm the L2 norm infinite.
  static void addNormAlone(DumpRow& row, std::string_view hash) {
    const auto norm = parseNumber<double>(hash);
    if (!norm || std::isfinite(*norm)) {
      row.value = fmt::format("L1 norm {}", hash);
    } else if (std::isnan(*norm)) {
      row.statistics = {.max = norm, .min = norm, .mean = norm, .norm = norm};
    } else {
      row.statistics.norm = norm;
    }
  }

  /// Statistics are those of the first result; of others the L1 norm is logged.
  Result<> addOutputs(const TitanBlock& block) {
    const std::vector<std::string_view> hashes = listed(block.outputs, ',');
    if (!block.shape.empty()) {
      ULP_TRY(addFirstOutput(block, hashes.empty() ? "" : hashes.front()));
    }
    for (std::size_t i = block.shape.empty() ? 0 : 1; i < hashes.size(); ++i) {
      DumpRow row = rowOf(Role::Output, i);
      addNormAlone(row, hashes[i]);
      m_unit->addRow(std::move(row));
    }
    return {};
  }

  Result<> addFirstOutput(const TitanBlock& block, std::string_view hash) {
    DumpRow row = rowOf(Role::Output, 0);
    constexpr std::string_view kType = "Dtype: ";
    const std::size_t type = block.shape.find(kType);
    row.dtype = type == std::string_view::npos ? "" : block.shape.substr(type + kType.size());
    for (const std::string_view size :
         listed(between(block.shape, "[", "]").value_or(std::string_view()), ',')) {
      row.shape.push_back(parseNatural<std::int64_t>(size).value_or(-1));
    }
    if (!tensors::checkedCount(row.shape)) {
      return fail(
          ErrorCode::CorruptData,
          fmt::format("{}: [{}] has no possible shape: '{}'; delete its block from the file",
                      m_log.string(),
                      block.key,
                      block.shape));
    }
    row.statistics = {.max = parseNumber<double>(block.max),
                      .min = parseNumber<double>(block.min),
                      .mean = parseNumber<double>(block.mean),
                      .norm = parseNumber<double>(block.norm)};
    remember(block.key, {row.dtype, row.statistics, std::string(hash)});
    m_unit->addRow(std::move(row));
    return {};
  }

  void remember(std::string_view key, Made made) {
    // Zeros, ones and numbers like these are in many tensors, which whole norms come of.
    const double norm = parseNumber<double>(made.hash).value_or(0);
    if (std::isfinite(norm) && norm != std::floor(norm)) {
      m_byHash[made.hash] = m_made.size();
    }
    m_byKey[std::string(key)] = m_made.size();
    m_made.push_back(std::move(made));
  }

  void noteWhatIsMissing(std::string_view head) {
    const std::string_view number = head.substr(0, head.find('\n'));
    const auto said = parseNatural<std::size_t>(number);
    if (!said || *said != m_unit->entries.size()) {
      m_unit->notes.push_back(
          fmt::format("{}: holds {} of the {} operations that its first line tells of; copy the "
                      "file again",
                      m_log.string(),
                      m_unit->entries.size(),
                      number));
    }
  }

  fs::path m_log;
  std::shared_ptr<TitanUnit> m_unit;
  std::unordered_map<std::string, std::uint64_t> m_calls;
  std::unordered_map<std::string, std::size_t> m_stacks;
  std::vector<Made> m_made;
  std::unordered_map<std::string, std::size_t> m_byKey;   ///< in m_made
  std::unordered_map<std::string, std::size_t> m_byHash;  ///< in m_made, the last of each norm
};

Result<DumpUnitPtr> openTitanUnit(const UnitInfo& unit,
                                  const std::stop_token& stop,
                                  const Progress& progress) {
  return TitanReader(unit.path, unit.axes).read(stop, progress);
}

/// The rank stands in the name, the run is the folder around "numerics".
UnitAxes titanAxesOf(const fs::path& root, const fs::path& log) {
  UnitAxes axes;
  const std::string name = log.filename().string();
  if (name.starts_with(kTitanRank) && isCalledTitanLog(log)) {
    axes.rank = parseNatural<std::int64_t>(std::string_view(name).substr(
        kTitanRank.size(), name.size() - kTitanRank.size() - kTitanName.size()));
  }
  fs::path run = log.parent_path();
  run = run.filename() == "numerics" && run != root ? run.parent_path() : run;
  const fs::path relative = run.lexically_relative(root);
  if (!relative.empty() && relative != "." && *relative.begin() != "..") {
    axes.run = relative.generic_string();
  }
  return axes;
}

Result<Dump> openTitan(const fs::path& path, const std::stop_token& /*stop*/) {
  const std::vector<fs::path> logs = titanLogsAt(path);
  if (logs.empty()) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: no {}N{} below it", path.string(), kTitanRank, kTitanName));
  }
  Dump dump{.format = "log of torchtitan"};
  for (const fs::path& log : logs) {
    dump.units.push_back({.axes = titanAxesOf(path, log), .path = log, .open = openTitanUnit});
  }
  std::ranges::stable_sort(dump.units, [](const UnitInfo& a, const UnitInfo& b) {
    return a.axes.run != b.axes.run ? naturallyBefore(a.axes.run, b.axes.run)
                                    : a.axes.rank < b.axes.rank;
  });
  return dump;
}

}  // namespace

void registerTorchtitan(ImporterRegistry& registry) {
  registry.add({"torchtitan",
                "log of torchtitan (rank_N_activations.log)",
                recogniseTitan,
                openTitan,
                {"torchtitan", 50}});
}

}  // namespace ulp::dumps
