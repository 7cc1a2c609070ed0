#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/text/parse_number.h"
#include "core/dumps/importers/importer.h"
#include "core/dumps/model/folders.h"
#include "core/tensors/archive/byte_source.h"
#include "core/tensors/formats/torch/torch_file.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;
using tensors::TorchKind;
using tensors::TorchValue;

constexpr std::string_view kPrefix = "tensor_logs_";
/// <output>/<run>/runs/<n>/artifacts/<rank>/tensor_logs_<step>.pt
constexpr int kDepth = 5;
constexpr std::size_t kMostEntries = 20'000;  ///< looked at before the first log

bool isCalledLog(const fs::path& file) {
  return file.extension() == ".pt" && file.filename().string().starts_with(kPrefix);
}

/// By name: the order in which a folder lists its files is not the same everywhere.
std::vector<fs::path> findLogs(const fs::path& path) {
  if (!isFolder(path)) {
    return isCalledLog(path) && isFile(path) ? std::vector{path} : std::vector<fs::path>();
  }
  std::vector<fs::path> logs;
  std::size_t looked = 0;
  eachEntry(
      path,
      [&](const fs::directory_entry& entry) {
        std::error_code ignored;
        if (isCalledLog(entry.path()) && entry.is_regular_file(ignored)) {
          logs.push_back(entry.path());
        }
        return !logs.empty() || ++looked < kMostEntries;
      },
      kDepth);
  std::ranges::sort(logs, naturallyBefore, [](const fs::path& log) -> const std::string& {
    return log.native();
  });
  return logs;
}

Result<std::shared_ptr<const tensors::TorchFile>> openLog(const fs::path& log) {
  auto file = tensors::TorchFile::open(log);
  if (!file && file.error().code() == ErrorCode::CorruptData) {
    return fail(ErrorCode::CorruptData, file.error().message() + "; copy the file again");
  }
  return file;
}

/// A list of dicts, each with the name of a tensor and what was logged of it.
bool isLog(const TorchValue& root) {
  if (root.kind != TorchKind::List || root.items.empty()) {
    return false;
  }
  const TorchValue& first = root.items.front();
  return first.find("name") != nullptr && first.find("shape") != nullptr;
}

/// What a path with these logs is; `problem` is that of the first one that cannot be opened.
Claim claimOf(const std::vector<fs::path>& logs, std::optional<Error>& problem) {
  bool isAnyWhole = false;
  for (const fs::path& log : logs) {
    auto file = openLog(log);
    if (file && isLog((*file)->root())) {
      return Claim::Certain;
    }
    isAnyWhole = isAnyWhole || file.has_value();
    if (!file && !problem) {
      problem = std::move(file.error());
    }
  }
  return problem && !isAnyWhole ? Claim::Damaged : Claim::No;
}

Claim recogniseTensorLogs(const fs::path& path) {
  std::optional<Error> problem;
  return claimOf(findLogs(path), problem);
}

/// Axes that a log's path says: the folder above "runs", the number behind the last "_" of its
/// name, the folder that holds it.
UnitAxes axesOf(const fs::path& root, const fs::path& file) {
  UnitAxes axes;
  const fs::path artifacts = file.parent_path().parent_path();
  if (artifacts.filename() == "artifacts") {
    axes.rank = parseNatural<std::int64_t>(file.parent_path().filename().string());
    const fs::path run = artifacts.parent_path().parent_path().parent_path();
    const fs::path relative = run.lexically_relative(root);
    if (!relative.empty() && relative != "." && *relative.begin() != "..") {
      axes.run = relative.generic_string();
    }
  }
  const std::string stem = file.stem().string();
  axes.step = parseNatural<std::int64_t>(std::string_view(stem).substr(stem.rfind('_') + 1));
  return axes;
}

/// Fills in what the name of a logged tensor says: "Global decoder.3 bw: decoder.2 output",
/// "Global : head.logits.grad", "Global gradient: decoder.0.norm_1.weight".
void describeLogged(std::string_view name, DumpEntry& entry, DumpRow& row) {
  constexpr std::string_view kGradient = ".grad";
  const std::size_t colon = std::min(name.find(':'), name.size());
  std::string_view where = name.substr(0, colon);
  std::string_view what = name.substr(std::min(colon + 1, name.size()));
  where.remove_prefix(std::min(where.find(' ') + 1, where.size()));
  what.remove_prefix(std::min(what.find_first_not_of(' '), what.size()));
  if (where == "gradient") {
    entry.kind = EntryKind::Gradient;
    entry.pass = Pass::ParameterGradient;
    const std::size_t dot = what.rfind('.');
    entry.module = what.substr(0, dot == std::string_view::npos ? 0 : dot);
    row.role = Role::ParameterGradient;
    row.index = what.substr(dot == std::string_view::npos ? 0 : dot + 1);
    return;
  }
  const std::size_t space = where.find(' ');
  const std::string_view pass = where.substr(std::min(space, where.size()));
  if (pass.starts_with(" fw") || pass.starts_with(" bw")) {
    const bool isForward = pass.starts_with(" fw");
    entry.kind = EntryKind::Module;
    entry.pass = isForward ? Pass::Forward : Pass::Backward;
    entry.module = where.substr(0, space);
    row.role = isForward ? Role::Output : Role::InputGradient;
    return;
  }
  const bool isGradient = what.ends_with(kGradient);
  const std::string_view module = what.substr(0, what.size() - (isGradient ? kGradient.size() : 0));
  entry.pass = isGradient ? Pass::Backward : Pass::Forward;
  row.role = isGradient ? Role::OutputGradient : Role::Output;
  if (module.find('.') != std::string_view::npos) {
    entry.kind = EntryKind::Module;
    entry.module = module;
  }
}

std::optional<double> realOf(const TorchValue& log, std::string_view key) {
  const TorchValue* value = log.find(key);
  const bool isNumber =
      value != nullptr && (value->kind == TorchKind::Real || value->kind == TorchKind::Integer);
  return isNumber ? std::optional(value->real) : std::nullopt;
}

std::vector<std::int64_t> shapeOf(const TorchValue* list) {
  std::vector<std::int64_t> shape;
  for (const TorchValue& item : list == nullptr ? std::vector<TorchValue>() : list->items) {
    shape.push_back(item.integer);
  }
  return shape;
}

class LogUnit final : public DumpUnit {
 public:
  LogUnit(std::shared_ptr<const tensors::TorchFile> file, UnitAxes its) : m_file(std::move(file)) {
    axes = std::move(its);
    std::unordered_map<std::string, std::uint64_t> calls;
    for (const TorchValue& log : m_file->root().items) {
      add(log, calls);
    }
    if (m_sampled > 0) {
      notes.push_back(fmt::format(
          "{}: of {} of its {} tensors Fast-LLM kept samples alone; only those are compared. Run "
          "with run.tensor_logs.full_tensors: true to keep all elements",
          m_file->path().string(),
          m_sampled,
          rows.size()));
    }
  }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    if (!m_tensors[row]) {
      return fail(
          ErrorCode::NotFound,
          fmt::format(
              "{}: '{}' was logged without elements", m_file->path().string(), rows[row].name));
    }
    auto tensor = m_file->readAt(*m_tensors[row]);
    if (tensor) {
      tensor->view.shape = rows[row].shape;
    }
    return tensor;
  }

 private:
  void add(const TorchValue& log, std::unordered_map<std::string, std::uint64_t>& calls) {
    const TorchValue* name = log.find("name");
    if (name == nullptr || name->kind != TorchKind::Text) {
      notes.push_back(
          fmt::format("{}: entry {} has no name", m_file->path().string(), rows.size()));
      return;
    }
    DumpEntry entry{.name = std::string(name->text)};
    DumpRow row{.name = entry.name};
    describeLogged(entry.name, entry, row);
    entry.call = calls[entry.name]++;
    if (const TorchValue* dtype = log.find("dtype"); dtype != nullptr) {
      row.dtype = dtype->text;
    }
    row.statistics.max = realOf(log, "max");
    row.statistics.min = realOf(log, "min");
    row.statistics.mean = realOf(log, "mu");
    addElements(log, row);
    addEntry(std::move(entry));
    addRow(std::move(row));
  }

  /// All elements or samples of them, whichever was logged.
  void addElements(const TorchValue& log, DumpRow& row) {
    row.shape = shapeOf(log.find("shape"));
    const TorchValue* elements = log.find("tensor");
    if (elements == nullptr || elements->kind != TorchKind::Tensor) {
      elements = log.find("samples");
    }
    if (elements == nullptr || elements->kind != TorchKind::Tensor) {
      m_tensors.emplace_back();
      return;
    }
    const std::vector<std::int64_t>& kept = m_file->tensors()[elements->tensor].shape;
    if (tensors::checkedCount(kept) != tensors::checkedCount(row.shape)) {
      // Samples of two tensors are the same elements only where shape and step are the same.
      const double step = realOf(log, "step").value_or(0);
      row.index = fmt::format("every {} of [{}]", step, fmt::join(row.shape, ", "));
      row.shape = kept;
      ++m_sampled;
    }
    row.hasElements = true;
    m_tensors.emplace_back(elements->tensor);
  }

  std::shared_ptr<const tensors::TorchFile> m_file;
  std::vector<std::optional<std::size_t>> m_tensors;  ///< of the file, one for each row
  std::size_t m_sampled = 0;
};

Result<DumpUnitPtr> openLogUnit(const UnitInfo& unit,
                                const std::stop_token& /*stop*/,
                                const Progress& /*progress*/) {
  auto file = ULP_TRY(openLog(unit.path));
  if (file->root().kind != TorchKind::List) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: not a list of logged tensors; give the folder without it",
                            unit.path.string()));
  }
  return std::make_shared<LogUnit>(std::move(file), unit.axes);
}

std::vector<UnitInfo> unitsOf(const fs::path& opened, const std::vector<fs::path>& logs) {
  std::vector<UnitInfo> units;
  for (const fs::path& log : logs) {
    units.push_back({.axes = axesOf(opened, log), .path = log, .open = openLogUnit});
  }
  std::ranges::sort(units, [](const UnitInfo& a, const UnitInfo& b) {
    if (a.axes.run != b.axes.run) {
      return naturallyBefore(a.axes.run, b.axes.run);
    }
    const auto place = [](const UnitInfo& unit) {
      return std::tuple(unit.axes.step, unit.axes.rank);
    };
    return place(a) != place(b) ? place(a) < place(b)
                                : naturallyBefore(a.path.string(), b.path.string());
  });
  // The same axes twice: the runs/<n> of a run that was repeated.
  std::map<std::string, std::size_t> uses;
  for (const UnitInfo& unit : units) {
    ++uses[describe(unit.axes)];
  }
  for (UnitInfo& unit : units) {
    if (uses[describe(unit.axes)] > 1) {
      unit.axes.run = fs::path(unit.path.lexically_relative(opened)).replace_extension().string();
    }
  }
  return units;
}

Result<Dump> openTensorLogs(const fs::path& path, const std::stop_token& /*stop*/) {
  const std::vector<fs::path> logs = findLogs(path);
  if (logs.empty()) {
    return fail(ErrorCode::NotFound, fmt::format("{}: no {}*.pt below it", path.string(), kPrefix));
  }
  std::optional<Error> problem;
  if (claimOf(logs, problem) == Claim::Damaged) {
    return tl::unexpected<Error>(*std::move(problem));
  }
  return Dump{.format = "tensor logs of Fast-LLM", .units = unitsOf(path, logs)};
}

}  // namespace

void registerFastLlmTensorLogs(ImporterRegistry& registry) {
  registry.add({"fast_llm_tensor_logs",
                "tensor logs of Fast-LLM (tensor_logs_*.pt)",
                recogniseTensorLogs,
                openTensorLogs,
                {"Fast-LLM", 30}});
}

}  // namespace ulp::dumps
