#include "tests/faults/crash_states.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <unordered_set>
#include <utility>

namespace ulp::test {
namespace {

using Kind = FileCall::Kind;
using Places = std::vector<std::size_t>;  ///< of calls

bool changesContent(const FileCall& call) {
  return call.kind == Kind::Write || call.kind == Kind::Resize;
}

bool changesNames(const FileCall& call) {
  return call.kind != Kind::Sync && call.kind != Kind::SyncAll && !changesContent(call);
}

/// Whether waiting for the disk in call `sync` makes `call` last.
bool makesLast(const FileCall& sync, const FileCall& call) {
  if (sync.kind == Kind::SyncAll) {
    return true;
  }
  const bool isMove = call.kind == Kind::Rename || call.kind == Kind::Exchange;
  const int synced = changesContent(call) ? call.node : isMove ? call.toFolder : call.folder;
  return sync.kind == Kind::Sync && sync.node == synced;
}

void applyNames(FileTree& tree, const FileCall& call) {
  auto& entries = tree.nodes[call.folder].entries;
  if (call.kind == Kind::Make) {
    tree.nodes[call.node].isFolder = call.isFolder;
    entries[call.name] = call.node;
    return;
  }
  const auto here = entries.find(call.name);
  if (here != entries.end() && here->second == call.node) {
    entries.erase(here);
  }
  if (call.kind == Kind::Exchange) {
    entries[call.name] = call.other;
  }
  if (call.kind != Kind::Remove) {
    tree.nodes[call.node];
    tree.nodes[call.toFolder].entries[call.toName] = call.node;
  }
}

void applyContent(std::string& content, const FileCall& call, bool isTorn) {
  if (call.kind == Kind::Resize) {
    content.resize(call.at);
    return;
  }
  const std::size_t size = isTorn ? call.bytes.size() / 2 : call.bytes.size();
  content.resize(std::max<std::size_t>(content.size(), call.at + size));
  content.replace(call.at, size, call.bytes, 0, size);
}

/// What a file may hold of the writes that wait.
enum class Kept : std::uint8_t { None, All, Torn, LastAlone };
constexpr std::array kAllKept{Kept::None, Kept::All, Kept::Torn, Kept::LastAlone};

/// For each call, how many calls were made when no loss of power could undo it any more.
Places lastsFrom(const std::vector<FileCall>& calls) {
  Places places;
  for (auto call = calls.begin(); call != calls.end(); ++call) {
    const auto sync = std::find_if(
        call + 1, calls.end(), [&](const FileCall& later) { return makesLast(later, *call); });
    places.push_back(static_cast<std::size_t>(sync - calls.begin()) + 1);
  }
  return places;
}

/// All that a crash after a number of calls may leave.
class Crash {
 public:
  /// `lasting`: lastsFrom() of all calls.
  Crash(const FileTree& before,
        const std::vector<FileCall>& calls,
        const Places& lasting,
        std::size_t done)
      : m_calls(calls), m_base(before) {
    // A folder may be there under its later name, though not under its first one.
    for (const FileCall& call : calls) {
      if (call.kind == Kind::Make) {
        m_base.nodes[call.node].isFolder = call.isFolder;
      }
    }
    for (std::size_t i = 0; i < done; ++i) {
      const FileCall& call = calls[i];
      const bool lasts = lasting[i] <= done;
      if (changesContent(call)) {
        (lasts ? m_lasting : m_waiting)[call.node].push_back(i);
      } else if (changesNames(call) && lasts) {
        applyNames(m_base, call);
      } else if (changesNames(call)) {
        m_names.push_back(i);
      }
    }
  }

  void each(const std::function<void(const FileTree&)>& use) const {
    const auto contents = contentChoices();
    for (const std::vector<bool>& names : nameChoices()) {
      FileTree named = m_base;
      for (const auto& [node, writes] : m_lasting) {
        named.nodes[node].content = contentOf(node, Kept::None);
      }
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i]) {
          applyNames(named, m_calls[m_names[i]]);
        }
      }
      for (const std::map<int, Kept>& choice : contents) {
        FileTree tree = named;
        for (const auto& [node, kept] : choice) {
          tree.nodes[node].content = contentOf(node, kept);
        }
        use(tree);
      }
    }
  }

 private:
  /// All combinations of a few names; else each one missing, each one alone, every beginning.
  [[nodiscard]] std::vector<std::vector<bool>> nameChoices() const {
    constexpr std::size_t kFew = 6;
    const std::size_t count = m_names.size();
    std::vector<std::vector<bool>> choices;
    if (count <= kFew) {
      for (std::size_t bits = 0; bits < std::size_t{1} << count; ++bits) {
        auto& choice = choices.emplace_back(count);
        for (std::size_t i = 0; i < count; ++i) {
          choice[i] = (bits >> i & 1U) != 0;
        }
      }
      return choices;
    }
    constexpr std::size_t kRandom = 16;
    std::mt19937 random(static_cast<unsigned>(count));
    choices.emplace_back(count, false);
    choices.emplace_back(count, true);
    for (std::size_t i = 0; i < kRandom; ++i) {
      auto& choice = choices.emplace_back(count);
      std::generate(choice.begin(), choice.end(), [&] { return random() % 2 == 0; });
    }
    for (const std::size_t end : {count / 4, count / 2, count - 1}) {
      auto& choice = choices.emplace_back(count);
      std::fill_n(choice.begin(), end, true);
    }
    auto& last = choices.emplace_back(count, false);
    last.back() = true;
    return choices;
  }

  /// All files alike, and each one otherwise than the others.
  [[nodiscard]] std::vector<std::map<int, Kept>> contentChoices() const {
    constexpr std::size_t kMost = 12;
    std::vector<std::map<int, Kept>> choices;
    for (const Kept kept : kAllKept) {
      auto& choice = choices.emplace_back();
      for (const auto& [node, writes] : m_waiting) {
        choice[node] = kept;
      }
    }
    for (const auto& [node, writes] : m_waiting) {
      if (choices.size() + 2 > kMost) {
        break;
      }
      auto missing = choices[1];
      missing[node] = Kept::None;
      choices.push_back(std::move(missing));
      auto alone = choices[0];
      alone[node] = Kept::All;
      choices.push_back(std::move(alone));
    }
    return choices;
  }

  [[nodiscard]] FileTree::Content contentOf(int node, Kept kept) const {
    FileTree::Content& made = m_contents[{node, kept}];
    if (made) {
      return made;
    }
    const auto base = m_base.nodes.find(node);
    std::string content = base == m_base.nodes.end() ? std::string() : base->second.content->bytes;
    if (const auto lasting = m_lasting.find(node); lasting != m_lasting.end()) {
      for (const std::size_t i : lasting->second) {
        applyContent(content, m_calls[i], false);
      }
    }
    if (const auto waiting = m_waiting.find(node);
        waiting != m_waiting.end() && kept != Kept::None) {
      for (const std::size_t i : waiting->second) {
        const bool isLast = i == waiting->second.back();
        if (kept != Kept::LastAlone || isLast) {
          applyContent(content, m_calls[i], kept == Kept::Torn && isLast);
        }
      }
    }
    made = std::make_shared<const FileTree::Text>(std::move(content));
    return made;
  }

  const std::vector<FileCall>& m_calls;
  FileTree m_base;                  ///< with the names that last
  Places m_names;                   ///< calls that change names, and wait
  std::map<int, Places> m_lasting;  ///< by node: calls that change its content
  std::map<int, Places> m_waiting;
  mutable std::map<std::pair<int, Kept>, FileTree::Content> m_contents;
};

}  // namespace

std::size_t eachCrashState(const FileTree& before,
                           const std::vector<FileCall>& calls,
                           const std::function<void(const FileTree&, std::size_t)>& use) {
  // The same tree may be right at one time and too old later: behind a wait, and at the end.
  std::unordered_set<std::size_t> seen;
  std::size_t count = 0;
  const Places lasting = lastsFrom(calls);
  for (std::size_t done = 0; done <= calls.size(); ++done) {
    const bool hasWaited =
        done > 0 && (calls[done - 1].kind == Kind::Sync || calls[done - 1].kind == Kind::SyncAll);
    if (hasWaited || done == calls.size()) {
      seen.clear();
    }
    Crash(before, calls, lasting, done).each([&](const FileTree& tree) {
      if (seen.insert(tree.signature()).second) {
        ++count;
        use(tree, done);
      }
    });
  }
  return count;
}

FileTree afterAll(const FileTree& before, const std::vector<FileCall>& calls) {
  FileTree tree = before;
  for (const FileCall& call : calls) {
    if (changesNames(call)) {
      applyNames(tree, call);
    } else if (changesContent(call)) {
      std::string content = tree.nodes[call.node].content->bytes;
      applyContent(content, call, false);
      tree.nodes[call.node].content = std::make_shared<const FileTree::Text>(std::move(content));
    }
  }
  return tree;
}

std::vector<Version> versionsOf(const FileTree& before, const std::vector<FileCall>& calls) {
  std::vector<Version> versions;
  const Places lasting = lastsFrom(calls);
  FileTree tree = before;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    tree = afterAll(tree, {calls[i]});
    const FileCall& call = calls[i];
    if (call.kind != Kind::Rename || tree.nodes[call.node].isFolder) {
      continue;
    }
    tree.eachFile([&](const std::string& path, const FileTree::Node& node) {
      if (&node == &tree.nodes.at(call.node)) {
        versions.push_back({path, node.content, lasting[i]});
      }
    });
  }
  return versions;
}

}  // namespace ulp::test
