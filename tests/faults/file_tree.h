#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace ulp::test {

/// Folders and files in memory. Each has a number, which it keeps when it gets another name; 0 is
/// the folder that holds all others.
struct FileTree {
  using Content = std::shared_ptr<const std::string>;
  struct Node {
    bool isFolder = false;
    std::map<std::string, int> entries;
    Content content = std::make_shared<const std::string>();
  };

  std::map<int, Node> nodes;

  /// Calls use(path from the top, node) for every file that has a name.
  void eachFile(const std::function<void(const std::string&, const Node&)>& use) const;
  /// What a path leads to; null: nothing.
  [[nodiscard]] const Node* find(const std::string& path) const;
  /// Names and contents below a path as one text; empty: nothing is there.
  [[nodiscard]] std::string textOf(const std::string& path) const;
  /// Equal for trees of equal names and contents.
  [[nodiscard]] std::size_t signature() const;
  /// Makes the files and folders below an empty folder.
  void writeTo(const std::filesystem::path& folder) const;
};

}  // namespace ulp::test
