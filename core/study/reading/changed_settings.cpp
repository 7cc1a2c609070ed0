#include "core/study/reading/changed_settings.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace ulp::study {
namespace {

constexpr std::array<std::string_view, 5> kComparedOtherwise{
    "model.path", "input.path", "device", "output_dir", "noise_floor"};

constexpr std::array<std::string_view, 5> kFiles{
    "input.tokenizer", "loss.path", "model.factory", "python.executable", "python.prepare"};

/// Whether `whole` is where the relative path `written` may lead to, as in a run folder's copy of a
/// study; what the files hold is compared by their digests.
bool isWholePathOf(std::string_view whole, const std::string& path) {
  const std::string normal = std::filesystem::path(path).lexically_normal().string();
  std::string_view written = normal;
  while (written.starts_with("../") || written.starts_with("./")) {
    written.remove_prefix(written.find('/') + 1);
  }
  return whole.starts_with('/') && !written.starts_with('/') && !written.empty() &&
         whole.ends_with('/' + std::string(written));
}

bool isSame(std::string_view key, const std::string& before, const std::string& now) {
  const bool isFile = std::ranges::count(kFiles, key) > 0;
  return before == now || (isFile && (isWholePathOf(now, before) || isWholePathOf(before, now)));
}

}  // namespace

std::string changedSetting(const Settings& now, const RecordedValue& recorded) {
  for (const auto& [key, setting] : now) {
    if (std::ranges::count(kComparedOtherwise, key) > 0) {
      continue;
    }
    const std::string* before = recorded(key);
    if (before != nullptr && !isSame(key, *before, setting.value)) {
      return fmt::format("{} was {}, is now {}", key, *before, setting.value);
    }
  }
  return {};
}

std::vector<std::string> changesOnce(const std::vector<RunChange>& changes, std::size_t compared) {
  std::vector<std::pair<std::string, std::vector<std::string>>> runsOf;
  for (const auto& [run, what] : changes) {
    auto known = std::ranges::find(runsOf, what, [](const auto& each) { return each.first; });
    if (known == runsOf.end()) {
      known = runsOf.insert(known, {what, {}});
    }
    known->second.push_back(run);
  }
  std::vector<std::string> texts;
  for (const auto& [what, runs] : runsOf) {
    const bool isOfAll = compared > 1 && runs.size() == compared;
    texts.push_back(isOfAll ? what : fmt::format("{}: {}", fmt::join(runs, ", "), what));
  }
  return texts;
}

}  // namespace ulp::study
