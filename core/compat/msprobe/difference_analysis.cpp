#include "core/compat/msprobe/difference_analysis.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/compat/msprobe/process_pairs.h"
#include "core/compat/msprobe/python_json.h"
#include "core/compat/msprobe/sides.h"
#include "core/compat/msprobe/statistic_difference.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;
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

struct RowTexts {
  std::array<DifferenceText, 4> statistics;  ///< max, min, mean, norm
};

RowTexts differencesOf(const Record& target, const Record* golden) {
  RowTexts texts;
  for (std::size_t each = 0; each < texts.statistics.size(); ++each) {
    texts.statistics[each] = statisticDifference26(
        target.statistics[each], golden == nullptr ? textCell("N/A") : golden->statistics[each]);
  }
  return texts;
}

/// An output of which a statistic is off by more than half.
bool isOff(const Record& target, const RowTexts& texts) {
  return target.section == Section::Output &&
         std::any_of(texts.statistics.begin(), texts.statistics.end(), [](const auto& each) {
           return each.relative.ends_with('%') && shareOf(each.relative) > 0.5;
         });
}

/// Fused attention returns the state of its random numbers as the outputs 4 and 5.
bool isIgnored(const Record& target) {
  return target.name.find("npu_fusion_attention") != std::string::npos &&
         (target.name.ends_with(".output.4") || target.name.ends_with(".output.5"));
}

std::vector<Call> callsOf(const Sides& sides) {
  std::vector<Call> calls;
  for (std::size_t pair = 0; pair < sides.pairs.size(); ++pair) {
    if (pair == 0 || sides.pairs[pair].entry != sides.pairs[pair - 1].entry) {
      calls.push_back({pair, pair});
    }
    Call& call = calls.back();
    call.end = pair + 1;
    const Record& target = sides.target.records[sides.pairs[pair].target];
    call.isSame =
        call.isSame && (isIgnored(target) ||
                        !isOff(target, differencesOf(target, goldenOf(sides, sides.pairs[pair]))));
  }
  return calls;
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

class RowJson {
 public:
  RowJson(const Sides& sides, PythonJson& json) : m_sides(sides), m_json(json) {}

  void write(std::size_t pair, const std::string& entry, bool isFirst) {
    const Record& target = m_sides.target.records[m_sides.pairs[pair].target];
    const Record* golden = goldenOf(m_sides, m_sides.pairs[pair]);
    m_json.beginObject();
    identity(target, golden);
    differences(target, golden);
    statistics(target, golden);
    m_json.key("Requires_grad Consistent");
    m_json.flag(grad(&target) == grad(golden));
    text("Result", "");
    text("Err_message", "");
    if (m_sides.hasStacks) {
      m_json.key("NPU_Stack_Info");
      addStack(m_json, m_sides, isFirst ? entry : std::string());
    }
    text("state", stateOf(target.section));
    text("api_origin_name", entry);
    for (const std::string_view title :
         {"NPU P2POp op", "Bench P2POp op", "NPU P2POp peer", "Bench P2POp peer"}) {
      text(title, "None");
    }
    m_json.endObject();
  }

 private:
  void text(std::string_view key, std::string_view value) {
    m_json.key(key);
    m_json.text(value);
  }
  static std::string grad(const Record* record) {
    return record == nullptr ? "N/A" : orNotAvailable(record->requiresGrad);
  }

  void identity(const Record& target, const Record* golden) {
    const std::array values{target.name,
                            golden ? golden->name : "N/A",
                            target.dtype.value_or("N/A"),
                            golden ? golden->dtype.value_or("N/A") : "N/A",
                            target.shape.value_or("N/A"),
                            golden ? golden->shape.value_or("N/A") : "N/A",
                            grad(&target),
                            grad(golden)};
    const std::vector<std::string> titles = identityTitles();
    for (std::size_t each = 0; each < titles.size(); ++each) {
      text(titles[each], values[each]);
    }
  }

  void statistics(const Record& target, const Record* golden) {
    std::vector<Cell> cells;
    addStatistics(cells, target, golden);
    const std::vector<std::string> titles = statisticsTitles();
    for (std::size_t each = 0; each < titles.size(); ++each) {
      const Record* record = each < target.statistics.size() ? &target : golden;
      m_json.key(titles[each]);
      // An argument stays a bool; of tensors msprobe has made texts.
      if (record != nullptr && record->dtype == "<class 'bool'>") {
        m_json.flag(cells[each].text == "True");
      } else {
        m_json.scalar(cells[each]);
      }
    }
  }

  void differences(const Record& target, const Record* golden) {
    const RowTexts texts = differencesOf(target, golden);
    const std::vector<std::string> titles = differenceTitles();
    for (std::size_t each = 0; each < titles.size(); ++each) {
      const DifferenceText& statistic = texts.statistics[each % texts.statistics.size()];
      text(titles[each],
           each < texts.statistics.size() ? statistic.difference : statistic.relative);
    }
  }

  const Sides& m_sides;
  PythonJson& m_json;
};

std::string rowsJson(const Sides& sides, const std::vector<Call>& calls) {
  constexpr std::size_t kIndent = 4;
  PythonJson json(kIndent);
  RowJson row(sides, json);
  json.beginObject();
  for (const Call& call : calls) {
    const std::string& name = nameOf(sides, call);
    json.key(name);
    json.beginObject();
    json.key("is_same");
    json.flag(call.isSame);
    json.key("op_items");
    json.beginList();
    for (std::size_t pair = call.first; pair < call.end; ++pair) {
      row.write(pair, name, pair == call.first);
    }
    json.endList();
    json.endObject();
  }
  json.endObject();
  return json.written();
}

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
        json.scalar(target.statistics[each]);
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

class Analysis {
 public:
  explicit Analysis(const CompareRequest& request)
      : m_request(request), m_time(timestampOf(request)) {
    m_origins.beginObject();
  }

  Result<> add(const ProcessPair& processes,
               const std::stop_token& stop,
               const dumps::Progress& progress) {
    auto sides = loadSides(processes.target.json, processes.golden.json, {}, stop, progress);
    if (!sides) {
      return tl::unexpected<Error>(std::move(sides.error()));
    }
    if (sides->mode == Mode::Checksum) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: differences are analysed from statistics; dumps of checksums "
                              "hold none",
                              processes.target.json.string()));
    }
    const std::vector<Call> calls = callsOf(*sides);
    if (auto written = write(fmt::format("compare_result{}_{}.json", processes.suffix, m_time),
                             rowsJson(*sides, calls));
        !written) {
      return written;
    }
    const Origin origin = originOf(*sides, calls);
    if (origin.isUncertain) {
      m_outcome.notes.push_back(fmt::format(
          "{}: the first difference stands between communications of ranks, whose links are not "
          "followed; see is_same in its compare_result",
          processes.target.json.string()));
    }
    if (origin.call) {
      m_origins.key(fmt::format("rank_{}", processes.target.rank.value_or(0)));
      m_origins.beginList();
      describe(m_origins, *sides, calls[*origin.call]);
      m_origins.endList();
      m_isFound = true;
    }
    return {};
  }

  Result<CompareOutcome> finish() {
    m_origins.endObject();
    if (m_isFound) {
      if (auto written = write(fmt::format("diff_analyze_{}.json", m_time), m_origins.written());
          !written) {
        return tl::unexpected<Error>(std::move(written.error()));
      }
    }
    return std::move(m_outcome);
  }

 private:
  Result<> write(const std::string& name, const std::string& content) {
    if (auto made = makeFolder(m_request.output); !made) {
      return made;
    }
    const fs::path file = m_request.output / name;
    auto written = writeFileAtomically(file, content);
    if (written) {
      m_outcome.files.push_back(file);
    }
    return written;
  }

  const CompareRequest& m_request;
  std::string m_time;
  PythonJson m_origins{2};
  CompareOutcome m_outcome;
  bool m_isFound = false;
};

}  // namespace

Result<CompareOutcome> analyzeDifferences(const CompareRequest& request,
                                          const std::stop_token& stop,
                                          const dumps::Progress& progress) {
  auto processes = pairProcesses(request.target, request.golden);
  if (!processes) {
    return tl::unexpected<Error>(std::move(processes.error()));
  }
  Analysis analysis(request);
  for (const ProcessPair& pair : processes->pairs) {
    if (auto added = analysis.add(pair, stop, progress); !added) {
      return tl::unexpected<Error>(std::move(added.error()));
    }
  }
  auto outcome = analysis.finish();
  if (outcome) {
    outcome->notes.insert(outcome->notes.begin(), processes->notes.begin(), processes->notes.end());
  }
  return outcome;
}

}  // namespace ulp::compat::msprobe
