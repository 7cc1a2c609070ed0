#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "core/report/model/dump_origin.h"
#include "core/report/model/report.h"

namespace ulp::views {

/// A comparison of dumps that is no file.
struct KeptComparison {
  report::LoadedReport newest;  ///< `file` is its id (kUnsavedPrefix), `folder` empty
  bool isOffered = false;       ///< a message leads to it
};

/// The comparisons that were never written as files, oldest first, each in its newest state: one
/// that is closed, or that made room for another, can be shown again.
class KeptComparisons {
 public:
  static constexpr std::size_t kMost = 8;

  using Gone = std::vector<report::LoadedReport>;
  using Ids = std::vector<std::filesystem::path>;

  /// A comparison, or its newer state. Returns what is not held any more: the state before, and
  /// beyond kMost the oldest other than it and `open`.
  [[nodiscard]] Gone put(const report::LoadedReport& state, const Ids& open);
  /// It is a file now.
  [[nodiscard]] Gone remove(const std::filesystem::path& id);
  /// `id` is whole: the older ones that isSameComparison() takes for it, but not `open`.
  [[nodiscard]] Gone removeOlder(const std::filesystem::path& id, const Ids& open);

  /// Null: it is not held.
  [[nodiscard]] KeptComparison* find(const std::filesystem::path& id);
  [[nodiscard]] const std::vector<KeptComparison>& all() const { return m_all; }

 private:
  std::vector<KeptComparison> m_all;
};

/// Tells whether both compare the same dumps in the same way: baseline, candidate, mapping, and
/// whether elements are read.
[[nodiscard]] bool isSameComparison(const report::LoadedReport& left,
                                    const report::LoadedReport& right);

}  // namespace ulp::views
