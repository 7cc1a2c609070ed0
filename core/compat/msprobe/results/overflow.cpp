#include "core/compat/msprobe/results/overflow.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <system_error>
#include <utility>
#include <vector>

#include "core/compat/msprobe/files/json_file.h"
#include "core/compat/msprobe/pairs/process_pairs.h"
#include "core/dumps/exporters/json_value.h"
#include "core/dumps/msprobe/call_stacks.h"
#include "core/dumps/msprobe/folder_layout.h"
#include "core/dumps/msprobe/json_stream.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;
using dumps::PythonJson;
using dumps::msprobe::CallStacks;
using dumps::msprobe::Construct;
using dumps::msprobe::JsonKind;
using dumps::msprobe::JsonNode;
using dumps::msprobe::JsonTree;
using dumps::msprobe::kNoNode;
using dumps::msprobe::ProcessFolder;

bool isNonFinite(const JsonNode* node) {
  return node != nullptr && node->kind == JsonKind::Float && !std::isfinite(node->number);
}

/// msprobe's own rule: among the values of the part, not within them.
bool hasNonFinite(const JsonTree& tree, std::string_view part) {
  const JsonNode* node = tree.find(tree.root(), part);
  if (node == nullptr) {
    return false;
  }
  for (std::uint32_t child = node->firstChild; child != kNoNode; child = tree[child].next) {
    const JsonNode& value = tree[child];
    if (value.kind == JsonKind::Object &&
        (isNonFinite(tree.find(value, "Max")) || isNonFinite(tree.find(value, "Min")))) {
      return true;
    }
  }
  return false;
}

/// Their outputs hold whatever was in memory.
bool isExemptFromOverflow(std::string_view call) {
  return call.find("Torch.empty") != std::string_view::npos ||
         call.find("Torch.fill") != std::string_view::npos;
}

bool makesNonFinite(std::string_view call, const JsonTree& tree) {
  return !isExemptFromOverflow(call) && hasNonFinite(tree, "output") &&
         !hasNonFinite(tree, "input_args") && !hasNonFinite(tree, "input_kwargs") &&
         !hasNonFinite(tree, "input");
}

/// Enclosing modules from the outside in, then the call itself.
std::vector<std::string> scopesOf(const std::string& call, const Construct& construct) {
  std::vector<std::string> scopes{call};
  constexpr std::size_t kDeepest = 1000;  // a hostile file could enclose calls in a circle
  for (const auto* known = construct.find(call);
       known != nullptr && !known->parent.empty() && scopes.size() < kDeepest;
       known = construct.find(known->parent)) {
    scopes.push_back(known->parent);
  }
  std::reverse(scopes.begin(), scopes.end());
  return scopes;
}

/// What the call does not have is an empty list or, of names and results, an empty object.
void writePart(PythonJson& json, const JsonTree& tree, std::string_view part) {
  json.key(part);
  if (const JsonNode* node = tree.find(tree.root(), part)) {
    dumps::writeTree(json, tree, *node);
  } else if (part == "input" || part == "input_args") {
    json.beginList().endList();
  } else {
    json.beginObject().endObject();
  }
}

void describe(PythonJson& json,
              const std::string& call,
              const JsonTree& tree,
              const CallStacks& stacks,
              const Construct& construct) {
  json.beginObject();
  json.key("op_name");
  json.text(call);
  json.key("data_info");
  json.beginObject();
  if (call.find("forward") != std::string::npos) {
    writePart(json, tree, "input_args");
    writePart(json, tree, "input_kwargs");
  } else {
    writePart(json, tree, "input");
  }
  writePart(json, tree, "output");
  json.endObject();
  json.key("construct_info");
  json.texts(scopesOf(call, construct));
  json.key("stack_info");
  if (const auto stack = stacks.byEntry.find(call)) {
    json.texts(stacks.stacks[*stack]);
  } else {
    json.beginObject().endObject();
  }
  json.endObject();
}

/// What stands beside dump.json; empty where the file is missing.
template <class Content, class Read>
Result<Content> readBeside(const ProcessFolder& process, const char* name, Read read) {
  const fs::path path = process.json.parent_path() / name;
  std::error_code status;
  return fs::is_regular_file(path, status) ? read(path) : Result<Content>(Content());
}

/// The first call of each process that makes an overflow.
class Search {
 public:
  Search(const fs::path& file, bool isOnly, const std::stop_token& stop)
      : m_found(file), m_isOnly(isOnly), m_stop(stop) {}

  Result<> look(const ProcessFolder& process, CompareOutcome& outcome) {
    const auto stacks = readBeside<CallStacks>(process, "stack.json", [&](const fs::path& path) {
      return dumps::msprobe::readCallStacks(path, m_stop);
    });
    const auto construct =
        readBeside<Construct>(process, "construct.json", [&](const fs::path& path) {
          return dumps::msprobe::readConstruct(path, m_stop);
        });
    if (!stacks || !construct) {
      return tl::unexpected<Error>(stacks ? construct.error() : stacks.error());
    }
    for (const auto* notes : {&stacks->notes, &construct->notes}) {
      outcome.notes.insert(outcome.notes.end(), notes->begin(), notes->end());
    }
    return walk(process, *stacks, *construct, outcome);
  }

  Result<> finish(CompareOutcome& outcome) { return m_found.finish(outcome); }

 private:
  Result<> walk(const ProcessFolder& process,
                const CallStacks& stacks,
                const Construct& construct,
                CompareOutcome& outcome) {
    std::size_t searched = 0;
    Result<> described;
    bool isFound = false;
    const auto end = ULP_TRY(dumps::msprobe::streamMembers(
        process.json,
        "data",
        [&](bool isInside, std::string_view key, const JsonTree& tree) {
          searched += isInside ? 1 : 0;
          isFound = isInside && makesNonFinite(key, tree);
          if (isFound) {
            described = m_found.add(processKey(process, m_isOnly), [&](PythonJson& json) {
              describe(json, std::string(key), tree, stacks, construct);
            });
          }
          return !isFound;
        },
        m_stop));
    if (!isFound && !end.problem.empty()) {
      return breaksOff(process, end.problem, searched, outcome);
    }
    return described;
  }

  /// What was not written cannot be searched.
  static Result<> breaksOff(const ProcessFolder& process,
                            const std::string& problem,
                            std::size_t searched,
                            CompareOutcome& outcome) {
    if (searched == 0) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: {}; nothing before it is complete, dump this step again",
                              process.json.string(),
                              problem));
    }
    outcome.notes.push_back(
        fmt::format("{}: {}; only the {} calls before it were searched, the dump was cut short",
                    process.json.string(),
                    problem,
                    searched));
    return {};
  }

  FindingsFile m_found;
  bool m_isOnly;
  const std::stop_token& m_stop;
};

bool isOneStep(const std::vector<ProcessFolder>& processes) {
  return std::all_of(processes.begin(), processes.end(), [&](const ProcessFolder& process) {
    return process.step == processes.front().step;
  });
}

}  // namespace

Result<CompareOutcome> findOverflow(const fs::path& dump,
                                    const fs::path& output,
                                    const std::string& suffix,
                                    const std::stop_token& stop) {
  const std::vector<ProcessFolder> processes = dumps::msprobe::findProcesses(dump);
  if (processes.empty()) {
    return fail(
        ErrorCode::NotFound,
        fmt::format("{}: holds no dump.json, nor folders rank* or proc* with one", dump.string()));
  }
  if (!isOneStep(processes)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: holds several steps; name one of them", dump.string()));
  }
  CompareOutcome outcome;
  Search search(
      output / fmt::format("anomaly_analyze_{}.json", suffix), processes.size() == 1, stop);
  for (const ProcessFolder& process : processes) {
    auto looked = search.look(process, outcome);
    if (!looked && looked.error().code() == ErrorCode::Cancelled) {
      return tl::unexpected<Error>(std::move(looked.error()));
    }
    if (!looked) {
      outcome.failures.push_back(std::move(looked.error()));
    }
  }
  if (outcome.failures.size() == processes.size()) {
    return tl::unexpected<Error>(asOneError(outcome.failures));
  }
  ULP_TRY(search.finish(outcome));
  if (outcome.files.empty() && outcome.failures.empty()) {
    outcome.notes.push_back(
        fmt::format("{}: no call makes NaN or infinities of finite inputs", dump.string()));
  }
  return outcome;
}

}  // namespace ulp::compat::msprobe
