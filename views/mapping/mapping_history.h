#pragma once

#include <map>
#include <string>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>
#include <QtGui/QUndoStack>

#include "core/analysis/mapping/site_mapping.h"
#include "core/base/result.h"
#include "core/comparing/match/mapping_names.h"

namespace ulp::views {

/// A mapping while it is edited: every change is a step that can be taken back.
class MappingHistory : public QObject {
  Q_OBJECT

 public:
  explicit MappingHistory(analysis::SiteMapping mapping, QObject* parent = nullptr);

  [[nodiscard]] const analysis::SiteMapping& mapping() const { return m_mapping; }
  [[nodiscard]] QUndoStack& steps() { return m_steps; }

  void addPairs(const std::vector<analysis::NamePair>& pairs);
  /// Errors: InvalidArgument for what is no regular expression; nothing is changed then.
  [[nodiscard]] Result<> addRule(const analysis::RenameRule& rule);
  [[nodiscard]] Result<> changeRule(std::size_t index, const analysis::RenameRule& rule);
  /// `rules`: their places, ascending; `pairs`: names of the candidate.
  void remove(const std::vector<std::size_t>& rules, const std::vector<std::string>& pairs);
  void replace(const analysis::SiteMapping& mapping);

 Q_SIGNALS:
  void changed();

 private:
  class Step;

  /// Makes a step of other rules and pairs; what the mapping says of fused layers and shards stays.
  [[nodiscard]] Result<> change(std::vector<analysis::RenameRule> rules,
                                std::map<std::string, std::string> pairs,
                                const QString& text);
  void set(const analysis::SiteMapping& mapping);

  analysis::SiteMapping m_mapping;
  QUndoStack m_steps;
};

}  // namespace ulp::views
