#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace ulp::test {

/// Folders and files in memory. Each has a number, which it keeps when it gets another name; 0 is
/// the folder that holds all others.
struct FileTree {
  struct Text {
    explicit Text(std::string all) : bytes(std::move(all)) {}

    std::string bytes;
    std::size_t hash = std::hash<std::string>()(bytes);
  };
  using Content = std::shared_ptr<const Text>;
  struct Node {
    bool isFolder = false;
    std::map<std::string, int> entries;
    Content content = std::make_shared<const Text>("");
  };

  std::map<int, Node> nodes;

  /// Calls use(path from the top, node) for every file that has a name.
  void eachFile(const std::function<void(const std::string&, const Node&)>& use) const;
  /// What a path leads to; null: nothing.
  [[nodiscard]] const Node* find(const std::string& path) const;
  /// Names and contents below a path as one text; empty: nothing is there.
  [[nodiscard]] std::string textOf(const std::string& path) const;
  /// Equal for trees of equal names and contents, of the files that `counts` names; empty: of all.
  [[nodiscard]] std::size_t signature(
      const std::function<bool(const std::string& path)>& counts = {}) const;
  /// Makes the files and folders below an empty folder.
  void writeTo(const std::filesystem::path& folder) const;
};

}  // namespace ulp::test
