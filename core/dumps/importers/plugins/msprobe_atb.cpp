#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/base/text/parse_number.h"
#include "core/dumps/importers/importer.h"
#include "core/dumps/model/folders.h"
#include "core/dumps/msit/layout.h"
#include "core/dumps/msit/recorded_unit.h"
#include "core/dumps/msit/statistics_table.h"

namespace ulp::dumps {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRoot = "atb_dump_data";
constexpr std::string_view kTable = "statistic.csv";

bool isOperationName(const std::string& name) {
  const std::size_t mark = name.find('_');
  return mark != std::string::npos && mark + 1 < name.size() &&
         parseNatural<std::int64_t>(name.substr(0, mark));
}

/// One execution of the model on one device.
struct Round {
  fs::path path;
  std::int64_t number = 0;
};

/// A round holds its table, or folders of operations.
bool isRound(const fs::path& folder) {
  const std::vector<std::string> names = folderNames(folder);
  return std::ranges::any_of(
      names, [](const std::string& name) { return name == kTable || isOperationName(name); });
}

std::vector<Round> roundsOf(const fs::path& process) {
  std::vector<Round> rounds;
  for (const std::string& name : folderNames(process)) {
    const auto number = parseNatural<std::int64_t>(name);
    if (number && isFolder(process / name) && isRound(process / name)) {
      rounds.push_back({.path = process / name, .number = *number});
    }
  }
  std::ranges::sort(rounds, {}, &Round::number);
  return rounds;
}

struct Processes {
  std::vector<fs::path> folders;             ///< by name
  std::vector<std::vector<Round>> rounds{};  ///< parallel to folders
};

void addProcess(Processes& processes, const fs::path& path) {
  std::vector<Round> rounds = roundsOf(path);
  if (!rounds.empty()) {
    processes.folders.push_back(path);
    processes.rounds.push_back(std::move(rounds));
  }
}

/// `{out}`, `atb_dump_data`, its `data`, a process below or a round of it.
Processes findProcesses(const fs::path& opened) {
  const fs::path path = normalPath(opened);
  const auto isData = [](const fs::path& folder) {
    return folder.filename() == "data" && folder.parent_path().filename() == kRoot;
  };
  Processes processes;
  for (const fs::path& data : {path, path / "data", path / kRoot / "data"}) {
    if (isData(data) && isFolder(data)) {
      for (const std::string& name : folderNames(data)) {
        addProcess(processes, data / name);
      }
      return processes;
    }
  }
  if (isData(path.parent_path())) {
    addProcess(processes, path);
  } else if (isData(path.parent_path().parent_path())) {
    addProcess(processes, path.parent_path());
    for (std::vector<Round>& rounds : processes.rounds) {
      std::erase_if(rounds, [&](const Round& round) { return round.path != path; });
    }
  }
  return processes;
}

/// A table that cannot be read is a note where there are files of tensors, else an error.
Result<> addTable(msit::RecordedUnit& unit, const fs::path& file, const UnitAxes& axes) {
  auto table = msit::readOperationStatistics(file);
  if (!table && unit.rows.empty()) {
    return tl::unexpected<Error>(std::move(table.error()));
  }
  if (!table) {
    unit.notes.push_back(table.error().message());
    return {};
  }
  std::erase_if(*table, [&](const msit::TensorStatistics& tensor) {
    return parseNatural<std::int64_t>(tensor.execution) != axes.token;
  });
  msit::addStatistics(unit, *table, file);
  return {};
}

Result<DumpUnitPtr> openRound(const UnitInfo& round,
                              const std::stop_token& stop,
                              const Progress& progress) {
  auto read = ULP_TRY(msit::readOperations(round.path, {}, round.axes, stop, progress));
  for (const fs::path& file : {round.path / kTable, round.path.parent_path() / kTable}) {
    if (isFile(file)) {
      ULP_TRY(addTable(*read, file, round.axes));
      break;
    }
  }
  return DumpUnitPtr(std::move(read));
}

Claim recogniseMsprobeAtb(const fs::path& path) {
  return isFolder(path) && !findProcesses(path).folders.empty() ? Claim::Certain : Claim::No;
}

Result<Dump> openMsprobeAtb(const fs::path& path, const std::stop_token& /*stop*/) {
  const Processes processes = findProcesses(path);
  if (processes.folders.empty()) {
    return fail(ErrorCode::NotFound,
                path.string() + ": no atb_dump_data/data/{device}_{PID}/{round} with operations");
  }
  Dump dump{.format = "msprobe 26.x, ATB"};
  const std::vector<std::optional<std::int64_t>> ranks = msit::ranksOf(processes.folders);
  for (std::size_t i = 0; i < processes.rounds.size(); ++i) {
    for (const Round& round : processes.rounds[i]) {
      dump.units.push_back({.axes = {.rank = ranks[i], .token = round.number},
                            .path = round.path,
                            .open = openRound});
    }
  }
  return dump;
}

}  // namespace

void registerMsprobeAtb(ImporterRegistry& registry) {
  registry.add({"msprobe_atb",
                "msprobe dump of an ATB model",
                recogniseMsprobeAtb,
                openMsprobeAtb,
                {"msprobe", 10}});
}

}  // namespace ulp::dumps
