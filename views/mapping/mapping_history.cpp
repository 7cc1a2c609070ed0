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

Result<SiteMapping> MappingHistory::with(std::vector<RenameRule> rules,
                                         std::map<std::string, std::string> pairs) const {
  return SiteMapping::make(std::move(rules), std::move(pairs), m_mapping.dumps());
}

void MappingHistory::push(SiteMapping mapping, const QString& text) {
  m_steps.push(new Step(*this, std::move(mapping), text));
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
  push(with(m_mapping.rules(), std::move(all)).value(), text);
}

Result<> MappingHistory::addRule(const RenameRule& rule) {
  std::vector<RenameRule> rules = m_mapping.rules();
  rules.push_back(rule);
  auto made = ULP_TRY(with(std::move(rules), m_mapping.pairs()));
  push(std::move(made), tr("new rule"));
  return {};
}

Result<> MappingHistory::changeRule(std::size_t index, const RenameRule& rule) {
  std::vector<RenameRule> rules = m_mapping.rules();
  if (rules.at(index) == rule) {
    return {};
  }
  rules[index] = rule;
  auto made = ULP_TRY(with(std::move(rules), m_mapping.pairs()));
  push(std::move(made), tr("change of a rule"));
  return {};
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
  push(with(std::move(kept), std::move(left)).value(), tr("removal"));
}

void MappingHistory::replace(const SiteMapping& mapping) {
  push(mapping, tr("loaded mapping"));
}

}  // namespace ulp::views
