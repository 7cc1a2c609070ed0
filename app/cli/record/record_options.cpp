#include "app/cli/record/record_options.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/base/files/atomic_file.h"
#include "core/base/list_of.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"
#include "core/json/parse.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestConfig = std::size_t{1} << 20;

std::optional<std::int64_t> number(std::string_view text) {
  return parseNatural<std::int64_t>(text);
}

/// "0,2-3" as the texts that the recorder takes: "0", "2-3".
Result<json::Array> numbersOf(std::string_view option, const std::string& text) {
  json::Array numbers;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t mark = part.find('-');
    const auto first = number(part.substr(0, mark));
    const auto last = mark == std::string_view::npos ? first : number(part.substr(mark + 1));
    if (!first || !last || *last < *first) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{} is '{}'; it is numbers and ranges, such as 0,2-5", option, text));
    }
    numbers.emplace_back(std::string(part));
  }
  return numbers;
}

/// [first, end]; an end that is not said is null.
Result<json::Array> tokensOf(const std::string& text) {
  const std::size_t mark = text.find(':');
  const std::string first = text.substr(0, mark);
  const std::string end = mark == std::string::npos ? "" : text.substr(mark + 1);
  const auto from = first.empty() ? std::optional<std::int64_t>(0) : number(first);
  const auto to = end.empty() ? std::nullopt : number(end);
  if (mark == std::string::npos || !from || (!end.empty() && !to) || (to && *to < *from)) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--tokens is '{}'; it is a range such as 0:3, which is the first three "
                            "tokens, or 5:, which is all from the sixth on",
                            text));
  }
  return json::Array{*from, to ? json::Value(*to) : json::Value()};
}

json::Array textsOf(const std::vector<std::string>& texts) {
  return listOf(texts, [](const std::string& text) { return json::Value(text); });
}

Result<std::string> folderOfConfig(const std::string& config) {
  const std::string text = ULP_TRY(readTextFile(config, kLargestConfig));
  const auto object = ULP_TRY(whileDoing(config, json::parseObject(text)));
  return object.at("dump_path").text();
}

/// A folder of a step that a recording has made.
bool holdsRecording(const fs::path& folder) {
  std::error_code failed;
  for (fs::directory_iterator each(folder, failed); !failed && each != fs::directory_iterator();
       each.increment(failed)) {
    if (each->path().filename().string().starts_with("step")) {
      return true;
    }
  }
  return false;
}

Result<fs::path> absolutePath(const std::string& path) {
  std::error_code failed;
  fs::path whole = fs::absolute(path, failed);
  return failed ? Result<fs::path>(fail(systemError(path, "leads nowhere", failed.value())))
                : whole.lexically_normal();
}

}  // namespace

Result<fs::path> recordFolder(const RecordWishes& wishes) {
  std::string folder = wishes.folder;
  if (!wishes.config.empty()) {
    auto its = ULP_TRY(folderOfConfig(wishes.config));
    folder = folder.empty() ? std::move(its) : folder;
  }
  if (folder.empty()) {
    return fail(ErrorCode::InvalidArgument,
                wishes.config.empty() ? "name the folder of the recording with --out"
                                      : wishes.config +
                                            ": dump_path: is missing; name the folder "
                                            "of the recording with --out");
  }
  fs::path path = ULP_TRY(absolutePath(folder));
  if (holdsRecording(path)) {
    return fail(ErrorCode::InvalidArgument,
                path.string() +
                    ": a recording is there; name another folder with --out, or "
                    "delete it");
  }
  return path;
}

Result<json::Object> recordOptions(const RecordWishes& wishes, const fs::path& folder) {
  json::Object options;
  options["folder"] = folder.string();
  if (!wishes.config.empty()) {
    options["config"] = ULP_TRY(absolutePath(wishes.config)).string();
  }
  const auto add = [&options](const char* name, const std::string& value) {
    if (!value.empty()) {
      options[name] = value;
    }
  };
  add("level", wishes.level);
  add("task", wishes.task == "checksum" ? "crc32" : wishes.task);
  add("modules", wishes.modules);
  add("by", wishes.stepsBy);
  if (!wishes.list.empty()) {
    options["list"] = textsOf(wishes.list);
  }
  if (!wishes.scope.empty()) {
    options["scope"] = textsOf(wishes.scope);
  }
  if (!wishes.dataMode.empty()) {
    options["data_mode"] = textsOf(wishes.dataMode);
  }
  if (!wishes.ranks.empty()) {
    options["ranks"] = ULP_TRY(numbersOf("--ranks", wishes.ranks));
  }
  if (!wishes.steps.empty()) {
    options["steps"] = ULP_TRY(numbersOf("--steps", wishes.steps));
  }
  if (!wishes.tokens.empty()) {
    options["tokens"] = ULP_TRY(tokensOf(wishes.tokens));
  }
  if (wishes.hasStack) {
    options["stack"] = true;
  }
  if (wishes.hasWeights) {
    options["weights"] = true;
  }
  return options;
}

}  // namespace ulp::cli
