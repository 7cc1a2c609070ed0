#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/faults/file_calls.h"
#include "tests/faults/file_tree.h"

namespace ulp::test {

/// Calls use(tree, done) for every different tree that a loss of power may leave behind, `done`
/// being how many of the calls the program had made. What the program waited for is there. Of
/// everything else any part may be missing: a name that was given, changed or taken away lasts once
/// its folder was synced, and content once its file was; before that, writes may be lost, torn in
/// the middle or overtaken by later ones, each file and name for itself. Where many names wait at
/// once, a fixed choice of their combinations stands for all. Returns how often it called `use`: a
/// tree comes again once the program has waited for the disk,
/// and at the end.
std::size_t eachCrashState(const FileTree& before,
                           const std::vector<FileCall>& calls,
                           const std::function<void(const FileTree&, std::size_t done)>& use);

/// The tree after all calls.
[[nodiscard]] FileTree afterAll(const FileTree& before, const std::vector<FileCall>& calls);

/// A file that got its name by being renamed, complete as it was then.
struct Version {
  std::string path;
  FileTree::Content content;
  /// How many calls were made when no loss of power could take it away any more.
  std::size_t lastsFrom = 0;
};
[[nodiscard]] std::vector<Version> versionsOf(const FileTree& before,
                                              const std::vector<FileCall>& calls);

}  // namespace ulp::test
