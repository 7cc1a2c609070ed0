#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include <QtWidgets/QWidget>

#include "views/mapping/mapping_history.h"
#include "views/mapping/mapping_picture.h"
#include "views/mapping/name_rules.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace ulp::views {

class Background;
class ThemeManager;

/// The rules and pairs of a mapping, with fields for a rule and what it would do.
class RulesPanel : public QWidget {
  Q_OBJECT

 public:
  /// `history` and `background` outlive the panel.
  RulesPanel(MappingHistory& history, Background& background, const ThemeManager& themes);

  /// Says over which names the effect of a rule is counted; null: not known.
  void setUnits(std::shared_ptr<const OpenUnits> units) { m_units = std::move(units); }
  /// Lists the mapping as it is, with the effects of `picture`, which may be null.
  void showRules(const MappingPicturePtr& picture);
  /// Counts in the background what the rule in the fields would do.
  void showEffect();
  void updateButtons();
  [[nodiscard]] bool isCounting() const;

 Q_SIGNALS:
  /// A rule was added or changed; or, with a problem, the one in the fields is none, and nothing
  /// was changed.
  void tried(const ulp::Error* problem);

 private:
  /// The rule that is chosen alone in the list.
  [[nodiscard]] std::optional<std::size_t> chosenRule() const;
  [[nodiscard]] analysis::RenameRule typedRule() const;
  void editChosenRule();
  void addRule();
  void changeRule();
  void removeChosen();

  MappingHistory& m_history;
  Background& m_background;
  QString m_tag;  ///< of the effect
  std::shared_ptr<const OpenUnits> m_units;
  NameRuleModel* m_rules;
  QTableView* m_table;
  QLineEdit* m_from;
  QLineEdit* m_to;
  QLabel* m_effect;
  QPushButton* m_add;
  QPushButton* m_change;
  QPushButton* m_remove;
};

}  // namespace ulp::views
