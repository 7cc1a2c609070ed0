#include "core/compat/msprobe/overflow.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/compat/msprobe/process_pairs.h"
#include "core/compat/msprobe/python_json.h"
#include "core/dumps/msprobe/call_stacks.h"
#include "core/dumps/msprobe/folder_layout.h"
#include "core/dumps/msprobe/json_stream.h"

namespace ulp::compat::msprobe {
namespace {

namespace fs = std::filesystem;
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

/// Anywhere in a value; its depth is limited.
bool hasNonFinite(const JsonTree& tree, const JsonNode& node) {
  if (isNonFinite(tree.find(node, "Max")) || isNonFinite(tree.find(node, "Min"))) {
    return true;
  }
  for (std::uint32_t child = node.firstChild; child != kNoNode; child = tree[child].next) {
    if (hasNonFinite(tree, tree[child])) {
      return true;
    }
  }
  return false;
}

bool hasNonFinite(const JsonTree& tree, std::string_view part) {
  const JsonNode* node = tree.find(tree.root(), part);
  return node != nullptr && hasNonFinite(tree, *node);
}

bool makesNonFinite(const JsonTree& tree) {
  return hasNonFinite(tree, "output") && !hasNonFinite(tree, "input_args") &&
         !hasNonFinite(tree, "input_kwargs") && !hasNonFinite(tree, "input");
}

/// Enclosing modules from the outside in, then the call itself.
std::vector<std::string> scopesOf(const std::string& call, const Construct& construct) {
  std::vector<std::string> scopes{call};
  constexpr std::size_t kDeepest = 1000;  // a hostile file could enclose calls in a circle
  for (auto parent = construct.parents.find(call);
       parent != construct.parents.end() && !parent->second.empty() && scopes.size() < kDeepest;
       parent = construct.parents.find(parent->second)) {
    scopes.push_back(parent->second);
  }
  std::reverse(scopes.begin(), scopes.end());
  return scopes;
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
  for (const std::string_view part : {"input_args", "input_kwargs", "input", "output"}) {
    if (const JsonNode* node = tree.find(tree.root(), part); node != nullptr) {
      json.key(part);
      json.tree(tree, *node);
    }
  }
  json.endObject();
  json.key("construct_info");
  json.texts(scopesOf(call, construct));
  json.key("stack_info");
  const auto stack = stacks.byEntry.find(call);
  if (stack == stacks.byEntry.end()) {
    json.text("N/A");
  } else {
    json.texts(stacks.stacks[stack->second]);
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

/// True: one was found and described.
Result<bool> search(const ProcessFolder& process, PythonJson& json, const std::stop_token& stop) {
  auto stacks = readBeside<CallStacks>(process, "stack.json", [&](const fs::path& path) {
    return dumps::msprobe::readCallStacks(path, stop);
  });
  auto construct = readBeside<Construct>(process, "construct.json", [&](const fs::path& path) {
    return dumps::msprobe::readConstruct(path, stop);
  });
  if (!stacks || !construct) {
    return tl::unexpected<Error>(stacks ? construct.error() : stacks.error());
  }
  bool isFound = false;
  auto end = dumps::msprobe::streamMembers(
      process.json,
      "data",
      [&](bool isInside, std::string_view key, const JsonTree& tree) {
        if (!isInside || !makesNonFinite(tree)) {
          return true;
        }
        json.key(fmt::format("rank_{}", process.rank.value_or(0)));
        json.beginList();
        describe(json, std::string(key), tree, *stacks, *construct);
        json.endList();
        isFound = true;
        return false;
      },
      stop);
  if (!end) {
    return tl::unexpected<Error>(std::move(end.error()));
  }
  return isFound;
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
  constexpr std::size_t kIndent = 2;
  PythonJson json(kIndent);
  json.beginObject();
  bool isFound = false;
  for (const ProcessFolder& process : processes) {
    auto found = search(process, json, stop);
    if (!found) {
      return tl::unexpected<Error>(std::move(found.error()));
    }
    isFound = isFound || *found;
  }
  json.endObject();
  CompareOutcome outcome;
  if (!isFound) {
    outcome.notes.push_back(
        fmt::format("{}: no call makes NaN or infinities of finite inputs", dump.string()));
    return outcome;
  }
  if (auto made = makeFolder(output); !made) {
    return tl::unexpected<Error>(std::move(made.error()));
  }
  const fs::path file = output / fmt::format("anomaly_analyze_{}.json", suffix);
  if (auto written = writeFileAtomically(file, json.written()); !written) {
    return tl::unexpected<Error>(std::move(written.error()));
  }
  outcome.files.push_back(file);
  return outcome;
}

}  // namespace ulp::compat::msprobe
