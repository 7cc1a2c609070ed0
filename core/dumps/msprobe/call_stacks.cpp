#include "core/dumps/msprobe/call_stacks.h"

#include <fmt/format.h>
#include <utility>

#include "core/dumps/msprobe/json_stream.h"

namespace ulp::dumps::msprobe {
namespace {

std::vector<std::string> textsOf(const JsonTree& tree, const JsonNode& list) {
  std::vector<std::string> texts;
  if (list.kind != JsonKind::List) {
    texts.push_back(printed(tree, list));  // a sentence says why there is no stack
    return texts;
  }
  texts.reserve(list.childCount);
  for (std::uint32_t child = list.firstChild; child != kNoNode; child = tree[child].next) {
    texts.push_back(printed(tree, tree[child]));
  }
  return texts;
}

/// [[entries], [frames]]
bool isShared(const JsonTree& tree, const JsonNode& value) {
  return value.kind == JsonKind::List && value.childCount == 2 &&
         tree[value.firstChild].kind == JsonKind::List;
}

void addNote(std::vector<std::string>& notes,
             const std::filesystem::path& path,
             const JsonEnd& end) {
  if (!end.problem.empty()) {
    notes.push_back(
        fmt::format("{}: {}; only what stands before it is used, the dump was cut short",
                    path.string(),
                    end.problem));
  }
}

}  // namespace

Result<CallStacks> readCallStacks(const std::filesystem::path& path, const std::stop_token& stop) {
  CallStacks stacks;
  auto end = ULP_TRY(streamMembers(
      path,
      {},
      [&](bool /*isInside*/, std::string_view key, const JsonTree& tree) {
        const JsonNode& value = tree.root();
        const std::size_t place = stacks.stacks.size();
        if (isShared(tree, value)) {
          for (const std::string& entry : textsOf(tree, tree[value.firstChild])) {
            stacks.byEntry.insert(entry, place).first = place;
          }
          stacks.stacks.push_back(textsOf(tree, tree[value.lastChild]));
        } else if (value.kind != JsonKind::Null) {
          stacks.byEntry.insert(key, place).first = place;
          stacks.stacks.push_back(textsOf(tree, value));
        }
      },
      stop));
  addNote(stacks.notes, path, end);
  return stacks;
}

Result<Construct> readConstruct(const std::filesystem::path& path, const std::stop_token& stop) {
  Construct construct;
  auto end = ULP_TRY(streamMembers(
      path,
      {},
      [&](bool /*isInside*/, std::string_view key, const JsonTree& tree) {
        const JsonNode* value = &tree.root();
        if (value->kind == JsonKind::List && value->firstChild != kNoNode) {
          value = &tree[value->firstChild];  // [parent, micro step], with Megatron
        }
        if (value->kind == JsonKind::Text || value->kind == JsonKind::Null) {
          const auto [place, isNew] = construct.places.insert(key, construct.calls.size());
          if (isNew) {
            construct.calls.push_back({std::string(key), std::string(value->text)});
          } else {
            construct.calls[place].parent = value->text;
          }
        }
      },
      stop));
  addNote(construct.notes, path, end);
  return construct;
}

}  // namespace ulp::dumps::msprobe
