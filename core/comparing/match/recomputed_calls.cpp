#include "core/comparing/match/recomputed_calls.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "core/base/text/contains_text.h"
#include "core/dumps/model/enclosing_calls.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpUnit;
using dumps::EntryKind;

/// torch.utils.checkpoint runs its function again, or an autograd function of a framework does so
/// in its backward(), which torch/autograd/function.py calls.
bool isRecomputing(const std::vector<std::string>& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::string& frame = frames[i];
    if (containsText(frame, "torch/utils/checkpoint.py") &&
        containsText(frame, "in recompute_fn")) {
      return true;
    }
    const bool isBackward = containsText(frame, ", in backward") ||
                            containsText(frame, "in checkpoint_function_backward");
    if (isBackward && i + 1 < frames.size() &&
        containsText(frames[i + 1], "torch/autograd/function.py")) {
      return true;
    }
  }
  return false;
}

class Finder {
 public:
  explicit Finder(const DumpUnit& unit) : m_unit(unit), m_is(unit.entries.size()) {}

  [[nodiscard]] std::vector<bool> find() && {
    markBySelf();
    if (std::find(m_is.begin(), m_is.end(), true) == m_is.end()) {
      markByOrder();
    }
    if (std::find(m_is.begin(), m_is.end(), true) == m_is.end()) {
      return {};
    }
    markInside();
    return std::move(m_is);
  }

 private:
  [[nodiscard]] bool isForward(std::size_t entry) const {
    return m_unit.entries[entry].pass == Pass::Forward &&
           m_unit.entries[entry].kind != EntryKind::Gradient;
  }

  void markBySelf() {
    std::vector<bool> stacks(m_unit.stacks.size());
    std::transform(m_unit.stacks.begin(), m_unit.stacks.end(), stacks.begin(), isRecomputing);
    for (std::size_t i = 0; i < m_is.size(); ++i) {
      const DumpEntry& entry = m_unit.entries[i];
      m_is[i] = isForward(i) && (entry.name.ends_with(".recomputed") ||
                                 (entry.stack < stacks.size() && stacks[entry.stack]));
    }
  }

  /// Of each module the calls in their order: forward and backward.
  void markByOrder() {
    std::unordered_map<std::string_view, std::vector<std::size_t>> calls;
    std::size_t firstBackward = m_is.size();
    for (std::size_t i = 0; i < m_is.size(); ++i) {
      const DumpEntry& entry = m_unit.entries[i];
      const bool isBackward = entry.pass == Pass::Backward;
      if (isBackward && firstBackward == m_is.size()) {
        firstBackward = i;
      }
      if (entry.kind == EntryKind::Module && (isBackward || isForward(i))) {
        calls[entry.module].push_back(i);
      }
    }
    for (const auto& [module, its] : calls) {
      markPairs(its, firstBackward);
    }
  }

  void markPairs(const std::vector<std::size_t>& calls, std::size_t firstBackward) {
    std::vector<std::size_t> again;
    std::size_t backward = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (isForward(calls[i])) {
        continue;
      }
      ++backward;
      if (i > 0 && isForward(calls[i - 1]) && calls[i - 1] > firstBackward) {
        again.push_back(calls[i - 1]);
      }
    }
    if (again.size() == backward && calls.size() == 3 * backward) {
      for (const std::size_t entry : again) {
        m_is[entry] = true;
      }
    }
  }

  void markInside() {
    for (std::size_t i = 0; i < m_is.size(); ++i) {
      m_is[i] = m_is[i] ||
                (isForward(i) &&
                 dumps::anyEnclosing(m_unit, i, [this](std::size_t call) { return m_is[call]; }));
    }
  }

  const DumpUnit& m_unit;
  std::vector<bool> m_is;
};

}  // namespace

std::vector<bool> recomputedCalls(const DumpUnit& unit) {
  return Finder(unit).find();
}

}  // namespace ulp::analysis
