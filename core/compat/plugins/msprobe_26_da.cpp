#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/files/folders.h"
#include "core/base/text/contains_text.h"
#include "core/base/text/split.h"
#include "core/compat/comparator.h"
#include "core/compat/msprobe/pairs/statistic_difference.h"
#include "core/compat/msprobe/results/process_comparison.h"
#include "core/compat/msprobe/results/row_cells.h"
#include "core/dumps/exporters/python_json.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;
using dumps::PythonJson;
using dumps::msprobe::Record;
using dumps::msprobe::ScalarKind;
using dumps::msprobe::Section;

/// Rows of one entry of the target, as a range in Sides::pairs.
struct Call {
  std::size_t first = 0;
  std::size_t end = 0;
  bool isSame = true;
};

std::string_view stateOf(Section section) {
  constexpr std::array kStates{
      "input"sv, "parameters"sv, "output"sv, "parameters_grad"sv, "debug"sv};
  return kStates.at(static_cast<std::size_t>(section));
}

/// Begins a file; its folder is made. Error: Io with the path.
Result<PythonJson> createJsonFile(const fs::path& file, int indent) {
  ULP_TRY(makeFolders(file.parent_path()));
  return PythonJson::create(file, indent);
}

/// The file gets its name and is added to the outcome. Error: Io with the path.
Result<> finishJsonFile(PythonJson& json, const fs::path& file, CompareOutcome& outcome) {
  ULP_TRY(json.finish(Durability::Synced));
  outcome.files.push_back(file);
  return {};
}

void writeCell(PythonJson& json, const Cell& cell) {
  switch (cell.kind) {
    case ScalarKind::Float:
      json.real(cell.number);
      return;
    case ScalarKind::Integer:
      json.word(cell.text);
      return;
    case ScalarKind::Flag:
      json.flag(cell.text == "True");
      return;
    default:
      json.text(cell.text);
  }
}

/// A statistic is off by more than half.
bool isOff(const ComparedRow& row) {
  return std::ranges::any_of(row.relative, [](const std::string& each) {
    return each.ends_with('%') && shareOf(each) > 0.5;
  });
}

/// Names of calls have four parts at least; msprobe leaves out what has fewer.
constexpr std::size_t kLeastParts = 4;

/// Fused attention returns the state of its random numbers as the outputs 4 and 5.
bool isIgnored(std::string_view entry, std::size_t output) {
  const auto parts = split(entry, '.');
  return parts[parts.size() - 3] == "npu_fusion_attention" && (output == 4 || output == 5);
}

const std::string& nameOf(const Sides& sides, const Call& call) {
  return sides.target.entries[sides.pairs[call.first].entry].name;
}

/// Null: none was recorded.
const std::vector<std::string>* stackOf(const Sides& sides, const std::string& entry) {
  const auto found = sides.stacks.byEntry.find(entry);
  return found ? &sides.stacks.stacks[*found] : nullptr;
}

/// compare_result_*.json: the rows of every call.
class RowsJson {
 public:
  RowsJson(const Sides& sides, PythonJson& json)
      : m_sides(sides),
        m_json(json),
        m_cells(sides, Generation::V26),
        m_titles(valueTitles(Mode::Statistics)) {}

  /// The calls, and which of them differ.
  std::vector<Call> write() {
    std::vector<Call> calls;
    m_json.beginObject();
    eachEntry(m_sides, [&](std::size_t first, std::size_t next) {
      const Call call{first, next};
      if (split(nameOf(m_sides, call), '.').size() >= kLeastParts) {
        calls.push_back(call);
        write(calls.back());
      }
    });
    m_json.endObject();
    return calls;
  }

 private:
  void write(Call& call) {
    const std::string& name = nameOf(m_sides, call);
    m_rows.clear();
    std::size_t output = 0;
    for (std::size_t pair = call.first; pair < call.end; ++pair) {
      ComparedRow& row = m_rows.emplace_back();
      row.target = &m_sides.target.records[m_sides.pairs[pair].target];
      row.golden = goldenOf(m_sides, m_sides.pairs[pair]);
      compareStatistics26(row);
      if (row.target->section == Section::Output && !isIgnored(name, output++)) {
        call.isSame = call.isSame && !isOff(row);
      }
    }
    m_json.key(name).beginObject();
    m_json.key("is_same").flag(call.isSame);
    m_json.key("op_items").beginList();
    for (const ComparedRow& row : m_rows) {
      writeRow(row, name, &row == &m_rows.front());
    }
    m_json.endList().endObject();
  }

  void writeRow(const ComparedRow& row, const std::string& entry, bool isFirst) {
    m_json.beginObject();
    const std::vector<Cell>& cells = m_cells.valuesOf(row, Mode::Statistics);
    for (std::size_t each = 0; each < m_titles.size(); ++each) {
      m_json.key(m_titles[each]);
      writeCell(m_json, cells[each]);
    }
    m_json.key(kGradTitle).flag(row.isGradConsistent());
    text("Result", "");
    text("Err_message", "");
    if (m_sides.hasStacks) {
      m_json.key("NPU_Stack_Info");
      if (const auto* stack = stackOf(m_sides, entry); isFirst && stack != nullptr) {
        m_json.texts(*stack);
      } else {
        m_json.text("N/A");
      }
    }
    text("state", stateOf(row.target->section));
    text("api_origin_name", entry);
    for (const std::string_view title :
         {"NPU P2POp op", "Bench P2POp op", "NPU P2POp peer", "Bench P2POp peer"}) {
      text(title, "None");
    }
    m_json.endObject();
  }

  void text(std::string_view key, std::string_view value) { m_json.key(key).text(value); }

  const Sides& m_sides;
  PythonJson& m_json;
  RowCells m_cells;
  std::vector<std::string> m_titles;
  std::vector<ComparedRow> m_rows;  ///< of one call
};

bool isCommunication(std::string_view name) {
  if (!name.starts_with("Distributed") && !name.starts_with("MintDistributed") &&
      !name.starts_with("communication.comm_func")) {
    return false;
  }
  constexpr std::array kWords{
      "send"sv, "recv"sv, "broadcast"sv, "reduce"sv, "gather"sv, "scatter"sv, "all_to_all"sv};
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return containsText(name, word); });
}

/// Their outputs hold whatever was in memory.
bool isSkipped(std::string_view name) {
  return name.starts_with("Torch.empty") || name.starts_with("Torch.fill") ||
         name.starts_with("Tensor.__setitem__");
}

/// The first calls of a process that differ, by where its communications are.
struct Origins {
  std::optional<std::size_t> before{};
  bool isBetween = false;
  std::optional<std::size_t> after{};
};

Origins originsOf(const Sides& sides, const std::vector<Call>& calls) {
  std::size_t firstLink = calls.size();
  std::size_t lastLink = 0;
  for (std::size_t each = 0; each < calls.size(); ++each) {
    if (isCommunication(nameOf(sides, calls[each]))) {
      firstLink = std::min(firstLink, each);
      lastLink = each;
    }
  }
  const auto differsIn = [&](std::size_t from, std::size_t to) -> std::optional<std::size_t> {
    for (std::size_t each = from; each < to; ++each) {
      if (!calls[each].isSame && !isSkipped(nameOf(sides, calls[each]))) {
        return each;
      }
    }
    return std::nullopt;
  };
  Origins origins{.before = differsIn(0, firstLink)};
  if (firstLink < calls.size()) {
    origins.isBetween = differsIn(firstLink, lastLink + 1).has_value();
    origins.after = differsIn(lastLink + 1, calls.size());
  }
  return origins;
}

/// What is written of a call, kept until all processes of its step are known.
struct Finding {
  struct Row {
    Section section{};
    std::string name{};
    std::array<Cell, 4> statistics{};
  };
  std::string process{};
  std::string call{};
  std::vector<Row> rows{};
  std::optional<std::vector<std::string>> stack{};
};

Finding findingOf(const std::string& process, const Sides& sides, const Call& call) {
  Finding finding{.process = process, .call = nameOf(sides, call)};
  for (std::size_t pair = call.first; pair < call.end; ++pair) {
    const Record& target = sides.target.records[sides.pairs[pair].target];
    finding.rows.push_back({target.section, target.name, target.statistics});
  }
  if (const auto* stack = stackOf(sides, finding.call)) {
    finding.stack = *stack;
  }
  return finding;
}

void describe(PythonJson& json, const Finding::Row& row) {
  json.key(row.name).beginObject();
  constexpr std::array kTitles{"NPU max", "NPU min", "NPU mean", "NPU l2norm"};
  for (std::size_t each = 0; each < kTitles.size(); ++each) {
    json.key(kTitles[each]);
    writeCell(json, row.statistics[each]);
  }
  json.key("NPU P2POp peer").text("None");
  json.endObject();
}

void describe(PythonJson& json, const Finding& finding) {
  json.beginObject();
  json.key("op_name").text(finding.call);
  json.key("data_info").beginObject();
  for (const Section section : {Section::Input, Section::Output}) {
    json.key(stateOf(section)).beginObject();
    for (const Finding::Row& row : finding.rows) {
      if (row.section == section) {
        describe(json, row);
      }
    }
    json.endObject();
  }
  json.endObject();
  json.key("stack_info");
  if (finding.stack) {
    json.texts(*finding.stack);
  } else {
    json.word("null");
  }
  json.endObject();
}

/// What the processes of a step have before, between and behind their communications, and the file
/// `{"rank_0": [{…}], …}` that says it. msprobe names what is before them; only where no process
/// has such a difference, what is between them; and only where there is none, either, what is
/// behind.
class StepOrigins {
 public:
  explicit StepOrigins(fs::path file) : m_file(std::move(file)) {}

  [[nodiscard]] const fs::path& file() const { return m_file; }

  void add(const ProcessPair& processes, const Sides& sides, const std::vector<Call>& calls) {
    const Origins origins = originsOf(sides, calls);
    if (origins.before) {
      m_before.push_back(findingOf(processes.key, sides, calls[*origins.before]));
    }
    if (origins.isBetween) {
      m_between.push_back(processes.target.json.string());
    }
    if (origins.after) {
      m_after.push_back(findingOf(processes.key, sides, calls[*origins.after]));
    }
  }

  /// No file where nothing was found.
  Result<> finish(CompareOutcome& outcome) {
    const std::vector<Finding>& found = m_before.empty() ? m_after : m_before;
    if (m_before.empty() && !m_between.empty()) {
      for (const std::string& path : m_between) {
        outcome.notes.push_back(fmt::format(
            "{}: the first difference stands between communications of ranks, whose links are not "
            "followed; see is_same in its compare_result",
            path));
      }
      return {};
    }
    if (found.empty()) {
      return {};
    }
    constexpr int kIndent = 2;
    auto json = ULP_TRY(createJsonFile(m_file, kIndent));
    json.beginObject();
    for (const Finding& finding : found) {
      json.key(finding.process).beginList();
      describe(json, finding);
      json.endList();
    }
    json.endObject();
    return finishJsonFile(json, m_file, outcome);
  }

 private:
  fs::path m_file;
  std::vector<Finding> m_before;
  std::vector<std::string> m_between;  ///< paths
  std::vector<Finding> m_after;
};

/// Of all processes, one after the other.
class Analysis {
 public:
  Analysis(const fs::path& output, const std::stop_token& stop, const dumps::Progress& progress)
      : m_output(output), m_stop(stop), m_progress(progress) {}

  Result<> add(const ProcessPair& processes, CompareOutcome& outcome) {
    const std::string& time = processes.timestamp;
    const fs::path folder = m_output / processes.folder;
    begin(folder / fmt::format("diff_analyze_{}.json", time), outcome);
    const auto sides = ULP_TRY(readSides(processes, {}, outcome.notes, m_stop, m_progress));
    if (!hasTable(sides, Generation::V26, outcome.notes)) {
      return {};
    }
    if (sides.mode == Mode::Checksum) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: differences are analysed from statistics; dumps of checksums "
                              "hold none",
                              processes.target.json.string()));
    }
    const fs::path file = folder / fmt::format("compare_result{}_{}.json", processes.suffix, time);
    constexpr int kIndent = 4;
    auto json = ULP_TRY(createJsonFile(file, kIndent));
    m_origins->add(processes, sides, RowsJson(sides, json).write());
    return finishJsonFile(json, file, outcome);
  }

  /// Origins that cannot be written do not take the tables with them.
  void finish(CompareOutcome& outcome) {
    if (auto finished = m_origins ? m_origins->finish(outcome) : Result<>(); !finished) {
      outcome.failures.push_back(std::move(finished.error()));
    }
  }

 private:
  /// Each folder of results has a file of origins.
  void begin(const fs::path& origins, CompareOutcome& outcome) {
    if (m_origins && m_origins->file() == origins) {
      return;
    }
    finish(outcome);
    m_origins.emplace(origins);
  }

  const fs::path& m_output;
  const std::stop_token& m_stop;
  const dumps::Progress& m_progress;
  std::optional<StepOrigins> m_origins;
};

/// `compare -da` of 26.x: `compare_result_rank{R}_{time}.json` with every row of each process, and
/// `diff_analyze_{time}.json` with the first call of each process whose outputs have a statistic
/// that is off by more than half. Of a step those before the first communication of their process;
/// only where no process has one, and none differs between its communications, those behind the
/// last. The links between ranks that communicate are not followed, and a note says so where that
/// matters. Of several steps each has its files, below `step{N}`. Statistics and tensors (of which
/// the statistics count).
Result<CompareOutcome> analyzeDifferences(const CompareRequest& request,
                                          const std::stop_token& stop,
                                          const dumps::Progress& progress) {
  Analysis analysis(request.output, stop, progress);
  auto outcome = compareProcesses(request, [&](const ProcessPair& pair, CompareOutcome& made) {
    return analysis.add(pair, made);
  });
  if (outcome) {
    analysis.finish(*outcome);
  }
  return outcome;
}

}  // namespace
}  // namespace ulp::compat::msprobe

namespace ulp::compat {

void registerMsprobe26Da(ComparatorRegistry& registry) {
  registry.add(
      {"msprobe-26-da", "first differing calls of msprobe 26.x", {}, msprobe::analyzeDifferences});
}

}  // namespace ulp::compat
