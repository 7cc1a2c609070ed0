#include "core/compat/msprobe/difference_analysis.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/compat/msprobe/json_file.h"
#include "core/compat/msprobe/process_comparison.h"
#include "core/compat/msprobe/row_cells.h"
#include "core/compat/msprobe/statistic_difference.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;
using dumps::PythonJson;
using dumps::msprobe::Record;
using dumps::msprobe::Section;

/// Rows of one entry of the target, as a range in Sides::pairs.
struct Call {
  std::size_t first = 0;
  std::size_t end = 0;
  bool isSame = true;
};

std::string_view stateOf(Section section) {
  switch (section) {
    case Section::Input:
      return "input";
    case Section::Parameters:
      return "parameters";
    case Section::Output:
      return "output";
    case Section::Gradient:
      return "parameters_grad";
    case Section::Saved:
      break;
  }
  return "debug";
}

/// Of maximum, minimum, mean and norm.
struct Differences {
  std::array<std::string, 4> absolute;
  std::array<std::string, 4> relative;
};

Differences differencesOf(const Record& target, const Record* golden) {
  Differences texts;
  for (std::size_t each = 0; each < texts.absolute.size(); ++each) {
    DifferenceText text = statisticDifference26(
        target.statistics[each], golden == nullptr ? textCell("N/A") : golden->statistics[each]);
    texts.absolute[each] = std::move(text.difference);
    texts.relative[each] = std::move(text.relative);
  }
  return texts;
}

/// An output of which a statistic is off by more than half.
bool isOff(const Record& target, const Differences& texts) {
  return target.section == Section::Output &&
         std::any_of(texts.relative.begin(), texts.relative.end(), [](const std::string& each) {
           return each.ends_with('%') && shareOf(each) > 0.5;
         });
}

/// Fused attention returns the state of its random numbers as the outputs 4 and 5.
bool isIgnored(const Record& target) {
  return target.name.find("npu_fusion_attention") != std::string::npos &&
         (target.name.ends_with(".output.4") || target.name.ends_with(".output.5"));
}

const std::string& nameOf(const Sides& sides, const Call& call) {
  return sides.target.entries[sides.pairs[call.first].entry].name;
}

void addStack(PythonJson& json, const Sides& sides, const std::string& entry) {
  const auto found = sides.stacks.byEntry.find(entry);
  if (found == sides.stacks.byEntry.end()) {
    json.text("N/A");
  } else {
    json.texts(sides.stacks.stacks[found->second]);
  }
}

/// compare_result_*.json: the rows of every call.
class RowsJson {
 public:
  RowsJson(const Sides& sides, PythonJson& json)
      : m_sides(sides), m_json(json), m_cells(sides), m_titles(identityTitles()) {
    append(m_titles, differenceTitles());
    append(m_titles, statisticsTitles());
  }

  /// The calls, and which of them differ.
  std::vector<Call> write() {
    std::vector<Call> calls;
    m_json.beginObject();
    eachEntry(m_sides, [&](std::size_t first, std::size_t next) {
      calls.push_back({first, next});
      write(calls.back());
    });
    m_json.endObject();
    return calls;
  }

 private:
  void write(Call& call) {
    m_differences.clear();
    for (std::size_t pair = call.first; pair < call.end; ++pair) {
      const Record& target = m_sides.target.records[m_sides.pairs[pair].target];
      m_differences.push_back(differencesOf(target, goldenOf(m_sides, m_sides.pairs[pair])));
      call.isSame = call.isSame && (isIgnored(target) || !isOff(target, m_differences.back()));
    }
    const std::string& name = nameOf(m_sides, call);
    m_json.key(name).beginObject();
    m_json.key("is_same").flag(call.isSame);
    m_json.key("op_items").beginList();
    for (std::size_t pair = call.first; pair < call.end; ++pair) {
      writeRow(pair, name, pair == call.first, m_differences[pair - call.first]);
    }
    m_json.endList().endObject();
  }

  void writeRow(std::size_t pair,
                const std::string& entry,
                bool isFirst,
                const Differences& differences) {
    const Record& target = m_sides.target.records[m_sides.pairs[pair].target];
    const Record* golden = goldenOf(m_sides, m_sides.pairs[pair]);
    m_json.beginObject();
    m_cells.begin(target, golden, "N/A");
    m_cells.add(differences.absolute);
    m_cells.add(differences.relative);
    m_cells.addStatistics(target, golden);
    writeCells(target, golden);
    m_json.key(kGradTitle).flag(gradOf(&target) == gradOf(golden));
    text("Result", "");
    text("Err_message", "");
    if (m_sides.hasStacks) {
      m_json.key("NPU_Stack_Info");
      if (isFirst) {
        addStack(m_json, m_sides, entry);
      } else {
        m_json.text("N/A");
      }
    }
    text("state", stateOf(target.section));
    text("api_origin_name", entry);
    for (const std::string_view title :
         {"NPU P2POp op", "Bench P2POp op", "NPU P2POp peer", "Bench P2POp peer"}) {
      text(title, "None");
    }
    m_json.endObject();
  }

  void writeCells(const Record& target, const Record* golden) {
    const std::size_t firstStatistic = m_titles.size() - statisticsTitles().size();
    for (std::size_t each = 0; each < m_titles.size(); ++each) {
      const Cell& cell = m_cells.cells()[each];
      m_json.key(m_titles[each]);
      // An argument stays a bool; of tensors msprobe has made texts.
      if (each >= firstStatistic && isBool(each - firstStatistic < 4 ? &target : golden)) {
        m_json.flag(cell.text == "True");
      } else {
        writeCell(m_json, cell);
      }
    }
  }

  static bool isBool(const Record* record) {
    return record != nullptr && record->dtype == "<class 'bool'>";
  }
  void text(std::string_view key, std::string_view value) { m_json.key(key).text(value); }

  const Sides& m_sides;
  PythonJson& m_json;
  RowCells m_cells;
  std::vector<std::string> m_titles;
  std::vector<Differences> m_differences;  ///< of one call
};

bool isCommunication(std::string_view name) {
  if (!name.starts_with("Distributed.") && !name.starts_with("MintDistributed.") &&
      !name.starts_with("comm_func")) {
    return false;
  }
  constexpr std::array kWords{"send"sv,
                              "recv"sv,
                              "broadcast"sv,
                              "reduce"sv,
                              "gather"sv,
                              "scatter"sv,
                              "all_to_all"sv,
                              "barrier"sv};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return name.find(word) != std::string_view::npos;
  });
}

/// Their outputs hold whatever was in memory.
bool isSkipped(std::string_view name) {
  return name.starts_with("Torch.empty") || name.starts_with("Torch.fill") ||
         name.starts_with("Tensor.__setitem__");
}

struct Origin {
  std::optional<std::size_t> call;
  bool isUncertain = false;  ///< a difference stands between communications
};

Origin originOf(const Sides& sides, const std::vector<Call>& calls) {
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
  if (const auto before = differsIn(0, firstLink)) {
    return {.call = before};
  }
  if (firstLink == calls.size()) {
    return {};
  }
  if (differsIn(firstLink, lastLink + 1)) {
    return {.isUncertain = true};
  }
  return {.call = differsIn(lastLink + 1, calls.size())};
}

void describe(PythonJson& json, const Sides& sides, const Call& call) {
  const std::string& name = nameOf(sides, call);
  json.beginObject();
  json.key("op_name");
  json.text(name);
  json.key("data_info");
  json.beginObject();
  for (const Section section : {Section::Input, Section::Output}) {
    json.key(stateOf(section));
    json.beginObject();
    for (std::size_t pair = call.first; pair < call.end; ++pair) {
      const Record& target = sides.target.records[sides.pairs[pair].target];
      if (target.section != section) {
        continue;
      }
      json.key(target.name);
      json.beginObject();
      constexpr std::array kTitles{"NPU max", "NPU min", "NPU mean", "NPU l2norm"};
      for (std::size_t each = 0; each < kTitles.size(); ++each) {
        json.key(kTitles[each]);
        writeCell(json, target.statistics[each]);
      }
      json.key("NPU P2POp peer");
      json.text("None");
      json.endObject();
    }
    json.endObject();
  }
  json.endObject();
  json.key("stack_info");
  addStack(json, sides, name);
  json.endObject();
}

/// Of all processes, one after the other.
class Analysis {
 public:
  Analysis(const fs::path& output, const std::stop_token& stop, const dumps::Progress& progress)
      : m_output(output), m_stop(stop), m_progress(progress) {}

  Result<> add(const ProcessPair& processes, const std::string& time, CompareOutcome& outcome) {
    const fs::path folder = m_output / processes.folder;
    if (auto begun = begin(folder / fmt::format("diff_analyze_{}.json", time), outcome); !begun) {
      return begun;
    }
    const auto sides = readSides(processes, {}, outcome.notes, m_stop, m_progress);
    if (!sides) {
      return tl::unexpected<Error>(sides.error());
    }
    if (sides->mode == Mode::Checksum) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: differences are analysed from statistics; dumps of checksums "
                              "hold none",
                              processes.target.json.string()));
    }
    const fs::path file = folder / fmt::format("compare_result{}_{}.json", processes.suffix, time);
    constexpr std::size_t kIndent = 4;
    auto json = createJsonFile(file, kIndent);
    if (!json) {
      return tl::unexpected<Error>(std::move(json.error()));
    }
    const std::vector<Call> calls = RowsJson(*sides, *json).write();
    if (auto finished = finishJsonFile(*json, file, outcome); !finished) {
      return finished;
    }
    return addOrigin(processes, *sides, calls, outcome);
  }

  Result<> finish(CompareOutcome& outcome) {
    return m_origins ? m_origins->finish(outcome) : Result<>();
  }

 private:
  /// Each folder of results has a file of origins.
  Result<> begin(const fs::path& origins, CompareOutcome& outcome) {
    if (m_origins && m_origins->file() == origins) {
      return {};
    }
    auto finished = finish(outcome);
    m_origins.emplace(origins);
    return finished;
  }

  Result<> addOrigin(const ProcessPair& processes,
                     const Sides& sides,
                     const std::vector<Call>& calls,
                     CompareOutcome& outcome) {
    const Origin origin = originOf(sides, calls);
    if (origin.isUncertain) {
      outcome.notes.push_back(fmt::format(
          "{}: the first difference stands between communications of ranks, whose links are not "
          "followed; see is_same in its compare_result",
          processes.target.json.string()));
    }
    if (!origin.call) {
      return {};
    }
    return m_origins->add(processes.key,
                          [&](PythonJson& json) { describe(json, sides, calls[*origin.call]); });
  }

  const fs::path& m_output;
  const std::stop_token& m_stop;
  const dumps::Progress& m_progress;
  std::optional<FindingsFile> m_origins;
};

}  // namespace

Result<CompareOutcome> analyzeDifferences(const CompareRequest& request,
                                          const std::stop_token& stop,
                                          const dumps::Progress& progress) {
  Analysis analysis(request.output, stop, progress);
  auto outcome = compareProcesses(
      request, [&](const ProcessPair& pair, const std::string& timestamp, CompareOutcome& made) {
        return analysis.add(pair, timestamp, made);
      });
  if (outcome) {
    if (auto finished = analysis.finish(*outcome); !finished) {
      return tl::unexpected<Error>(std::move(finished.error()));
    }
  }
  return outcome;
}

}  // namespace ulp::compat::msprobe
