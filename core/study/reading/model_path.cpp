#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/files/atomic_file.h"
#include "core/study/reading/study.h"

namespace ulp::study {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  // Nothing in the program writes the environment.
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

fs::path expandHome(const std::string& path) {
  const std::string home = environment("HOME");
  if (path.starts_with("~/") && !home.empty()) {
    return fs::path(home) / path.substr(2);
  }
  return path;
}

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::vector<fs::path> cacheFolders() {
  std::vector<fs::path> folders;
  for (const auto& [variable, below] : {std::pair("HF_HUB_CACHE", ""),
                                        std::pair("HF_HOME", "hub"),
                                        std::pair("HOME", ".cache/huggingface/hub")}) {
    if (const std::string folder = environment(variable); !folder.empty()) {
      folders.push_back(fs::path(folder) / below);
    }
  }
  return folders;
}

/// Whether `text` is not empty and has letters and digits (ASCII) and `others` alone.
bool hasOnly(std::string_view text, std::string_view others) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           others.find(c) != std::string_view::npos;
  });
}

/// The snapshot that refs/main names, or without refs the only one there is.
std::optional<fs::path> currentSnapshot(const fs::path& repository) {
  const fs::path snapshots = repository / "snapshots";
  if (const auto reference = readTextFile(repository / "refs" / "main", 1024)) {
    std::string revision = *reference;
    revision.erase(revision.find_last_not_of(" \r\n\t") + 1);
    if (hasOnly(revision, "_-") && isThere(snapshots / revision)) {
      return snapshots / revision;
    }
  }
  std::error_code failed;
  std::vector<fs::path> found;
  for (fs::directory_iterator entry(snapshots, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    found.push_back(entry->path());
  }
  return !failed && found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

/// Whether `text` may be the name of a user or of a model on the hub.
bool isHubName(std::string_view text) {
  return hasOnly(text, "._-") && text.front() != '.' && text.front() != '_' && text.front() != '-';
}

/// "SmolLM2" or "HuggingFaceTB/SmolLM2".
bool isHubId(std::string_view text) {
  const std::size_t slash = text.find('/');
  return isHubName(text.substr(0, slash)) &&
         (slash == std::string_view::npos || isHubName(text.substr(slash + 1)));
}

std::string repositoryFolder(std::string hubId) {
  const std::size_t slash = hubId.find('/');
  if (slash != std::string::npos) {
    hubId.replace(slash, 1, "--");
  }
  return "models--" + hubId;
}

}  // namespace

Result<fs::path> resolveModelPath(const Study& study) {
  std::vector<std::string> tried;
  const fs::path asWritten = expandHome(study.modelPath);
  std::vector<fs::path> candidates{asWritten};
  if (asWritten.is_relative() && study.file.has_parent_path()) {
    candidates.push_back(study.file.parent_path() / asWritten);
  }
  for (const fs::path& candidate : candidates) {
    if (isThere(candidate)) {
      return candidate;
    }
    tried.push_back(candidate.string());
  }
  if (isHubId(study.modelPath)) {
    for (const fs::path& cache : cacheFolders()) {
      const fs::path repository = cache / repositoryFolder(study.modelPath);
      if (auto snapshot = currentSnapshot(repository)) {
        return *snapshot;
      }
      tried.push_back(repository.string());
    }
  }
  return fail(
      ErrorCode::NotFound,
      fmt::format(
          "model.path '{}' not found; looked for {}", study.modelPath, fmt::join(tried, ", ")));
}

fs::path resolveBeside(const Study& study, std::string_view written) {
  const fs::path path = expandHome(std::string(written));
  const fs::path beside = study.file.parent_path() / path;
  if (path.empty() || !path.is_relative() || !isThere(beside)) {
    return path;
  }
  std::error_code gone;
  const fs::path whole = fs::absolute(beside, gone);
  return gone ? beside : whole;
}

std::string resolveFunction(const Study& study, std::string_view written) {
  const std::size_t colon = written.rfind(':');
  if (colon == std::string_view::npos) {
    return std::string(written);
  }
  return resolveBeside(study, written.substr(0, colon)).string() +
         std::string(written.substr(colon));
}

}  // namespace ulp::study
