#include "views/framework/workspace/study_history.h"

#include <utility>

#include "views/framework/workspace/text_change.h"

namespace ulp::views {
namespace {

constexpr int kMergeMs = 2000;

}  // namespace

StudyEdit::StudyEdit(
    QString before, QString after, const QString& step, EditMerge merge, Apply apply)
    : QUndoCommand(step),
      m_before(std::move(before)),
      m_after(std::move(after)),
      m_merge(std::move(merge)),
      m_apply(std::move(apply)) {
  m_age.start();
}

bool StudyEdit::mergeWith(const QUndoCommand* other) {
  const auto* next = dynamic_cast<const StudyEdit*>(other);
  if (next == nullptr || next->m_merge.id != m_merge.id || next->text() != text() ||
      m_age.hasExpired(kMergeMs) || next->m_before != m_after) {
    return false;
  }
  if (m_merge.isTyping && !continuesTyping(changeBetween(m_before, m_after),
                                           changeBetween(next->m_before, next->m_after))) {
    return false;
  }
  m_after = next->m_after;
  m_age.restart();
  setObsolete(m_after == m_before);
  return true;
}

}  // namespace ulp::views
