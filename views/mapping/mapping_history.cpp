#include "views/mapping/mapping_history.h"

#include <algorithm>
#include <utility>

#include <QtGui/QUndoCommand>

namespace ulp::views {

using analysis::RenameRule;
using analysis::SiteMapping;

namespace {

/// Every step keeps its mapping, and one from which ten thousand names were matched takes
/// megabytes.
constexpr int kUndoLimit = 200;

}  // namespace

/// Holds the whole mapping before and after: copies share it.
class MappingHistory::Step : public QUndoCommand {
 public:
  Step(MappingHistory& history, SiteMapping after, const QString& text)
      : QUndoCommand(text),
        m_history(history),
        m_before(history.m_mapping),
        m_after(std::move(after)) {}

  void undo() override { m_history.set(m_before); }
  void redo() override { m_history.set(m_after); }

 private:
  MappingHistory& m_history;
  SiteMapping m_before;
  SiteMapping m_after;
};

MappingHistory::MappingHistory(SiteMapping mapping, QObject* parent)
    : QObject(parent), m_mapping(std::move(mapping)) {
  m_steps.setUndoLimit(kUndoLimit);
}

void MappingHistory::set(const SiteMapping& mapping) {
  m_mapping = mapping;
  Q_EMIT changed();
}

Result<> MappingHistory::change(std::vector<RenameRule> rules,
                                std::map<std::string, std::string> pairs,
                                const QString& text) {
  auto made = ULP_TRY(SiteMapping::make(std::move(rules), std::move(pairs), m_mapping.dumps()));
  m_steps.push(new Step(*this, std::move(made), text));
  return {};
}

void MappingHistory::addPairs(const std::vector<analysis::NamePair>& pairs) {
  if (pairs.empty()) {
    return;
  }
  auto all = m_mapping.pairs();
  for (const analysis::NamePair& pair : pairs) {
    all[pair.candidate] = pair.baseline;
  }
  const QString text = pairs.size() == 1
                           ? tr("match of %1").arg(QString::fromStdString(pairs.front().candidate))
                           : tr("match of %n name(s)", nullptr, static_cast<int>(pairs.size()));
  // The rules were made before, and pairs are names: it cannot fail.
  static_cast<void>(change(m_mapping.rules(), std::move(all), text));
}

Result<> MappingHistory::addRule(const RenameRule& rule) {
  std::vector<RenameRule> rules = m_mapping.rules();
  rules.push_back(rule);
  return change(std::move(rules), m_mapping.pairs(), tr("new rule"));
}

Result<> MappingHistory::changeRule(std::size_t index, const RenameRule& rule) {
  std::vector<RenameRule> rules = m_mapping.rules();
  if (rules.at(index) == rule) {
    return {};
  }
  rules[index] = rule;
  return change(std::move(rules), m_mapping.pairs(), tr("change of a rule"));
}

void MappingHistory::remove(const std::vector<std::size_t>& rules,
                            const std::vector<std::string>& pairs) {
  if (rules.empty() && pairs.empty()) {
    return;
  }
  std::vector<RenameRule> kept = m_mapping.rules();
  std::for_each(rules.rbegin(), rules.rend(), [&](std::size_t rule) {
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(rule));
  });
  auto left = m_mapping.pairs();
  for (const std::string& name : pairs) {
    left.erase(name);
  }
  // Nothing is made that was not there before: it cannot fail.
  static_cast<void>(change(std::move(kept), std::move(left), tr("removal")));
}

void MappingHistory::replace(const SiteMapping& mapping) {
  m_steps.push(new Step(*this, mapping, tr("loaded mapping")));
}

}  // namespace ulp::views
