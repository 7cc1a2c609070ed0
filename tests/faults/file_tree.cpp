#include "tests/faults/file_tree.h"

#include <fstream>

namespace ulp::test {
namespace {

namespace fs = std::filesystem;

void eachFileBelow(const FileTree& tree,
                   int number,
                   const std::string& path,
                   const std::function<void(const std::string&, const FileTree::Node&)>& use) {
  const FileTree::Node& node = tree.nodes.at(number);
  if (!node.isFolder) {
    use(path, node);
    return;
  }
  for (const auto& [name, child] : node.entries) {
    eachFileBelow(tree, child, path.empty() ? name : path + "/" + name, use);
  }
}

void writeBelow(const FileTree& tree, int number, const fs::path& path) {
  const FileTree::Node& node = tree.nodes.at(number);
  if (!node.isFolder) {
    std::ofstream(path, std::ios::binary) << node.content->bytes;
    return;
  }
  fs::create_directories(path);
  for (const auto& [name, child] : node.entries) {
    writeBelow(tree, child, path / name);
  }
}

}  // namespace

void FileTree::eachFile(const std::function<void(const std::string&, const Node&)>& use) const {
  eachFileBelow(*this, 0, "", use);
}

const FileTree::Node* FileTree::find(const std::string& path) const {
  const Node* node = &nodes.at(0);
  for (const fs::path& name : fs::path(path)) {
    const auto entry = node->entries.find(name.string());
    if (entry == node->entries.end()) {
      return nullptr;
    }
    node = &nodes.at(entry->second);
  }
  return node;
}

std::string FileTree::textOf(const std::string& path) const {
  std::string text;
  eachFile([&](const std::string& file, const Node& node) {
    if (file == path || file.starts_with(path + "/")) {
      text += file + "\n" + std::to_string(node.content->bytes.size()) + "\n" + node.content->bytes;
    }
  });
  return text;
}

std::size_t FileTree::signature(const std::function<bool(const std::string& path)>& counts) const {
  std::size_t sum = 0;
  const auto mix = [&sum](std::size_t hash) { sum = sum * 1099511628211U + hash; };
  eachFile([&](const std::string& path, const Node& node) {
    if (!counts || counts(path)) {
      mix(std::hash<std::string>()(path));
      mix(node.content->hash);
    }
  });
  return sum;
}

void FileTree::writeTo(const fs::path& folder) const {
  writeBelow(*this, 0, folder);
}

}  // namespace ulp::test
