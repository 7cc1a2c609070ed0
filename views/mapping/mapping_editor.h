#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <QtWidgets/QDialog>

#include "views/framework/tables/row_table_model.h"
#include "views/mapping/mapping_history.h"
#include "views/mapping/mapping_picture.h"
#include "views/mapping/name_rules.h"
#include "views/mapping/open_names_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace ulp::views {

class Background;
class MessageBar;
class ThemeManager;

/// What only one of two dumps has, side by side with who may be its partner, and the rules and
/// pairs by which names are matched. A window of its own: it stays while the comparison is made
/// again with what it says.
class MappingEditor : public QDialog {
  Q_OBJECT

 public:
  MappingEditor(MappingSource source,
                const analysis::SiteMapping& mapping,
                Background& background,
                const ThemeManager& themes,
                QWidget* parent = nullptr);

  [[nodiscard]] const analysis::SiteMapping& mapping() const { return m_history->mapping(); }
  /// Changes were neither applied nor saved.
  [[nodiscard]] bool hasUnsavedEdits() const { return !m_isApplied && !m_isSaved; }
  /// Nothing is being read or matched; saving does not count.
  [[nodiscard]] bool isSettled() const;
  /// Reads a mapping file; an error is shown.
  void load(const QString& path);
  void save(const QString& path);

 Q_SIGNALS:
  /// The comparison should be made with mapping().
  void applied();

 public Q_SLOTS:
  /// Asks first when there are changes that were neither applied nor saved.
  void reject() override;

 private:
  /// One of the two lists.
  struct List {
    OpenNamesModel* model = nullptr;
    QTableView* table = nullptr;
    QLabel* title = nullptr;
    QLineEdit* filter = nullptr;
  };

  void makePage();
  [[nodiscard]] QWidget* makeSide(List& list, OpenNamesModel::Side side, const QString& dump);
  [[nodiscard]] QWidget* makeMatching();
  [[nodiscard]] QWidget* makeRules();
  [[nodiscard]] QWidget* makeEnd();
  void connectParts();
  void openDumps();
  void openPair();
  void showNotOpened(const Error& error);
  void match();
  void take(const MappingPicturePtr& picture);
  void complete(const MappingPicturePtr& picture);
  void filter(const List& list);
  void chooseAgain() const;
  void showRules();
  void showHeadline();
  void showError(const Error& error, const char* topic);
  void updateButtons();
  void chooseSuggestion();
  void editChosenRule();
  void showEffect();
  /// The names chosen at both sides; nothing where one is missing.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> chosen() const;
  [[nodiscard]] std::optional<analysis::NamePair> pairOfChosen() const;
  /// The rule that is chosen alone in the list.
  [[nodiscard]] std::optional<std::size_t> chosenRule() const;
  [[nodiscard]] std::optional<analysis::RenameRule> ruleOfChosen() const;
  void matchChosen();
  void matchAlike();
  void matchMutual();
  void addRule();
  void changeRule();
  void removeChosen();
  void askToLoad();
  void askToSave();
  void apply();
  [[nodiscard]] QString workTag(const char* what) const;

  MappingSource m_source;
  MappingUnits m_dumps;  ///< empty: not open yet
  Background& m_background;
  const ThemeManager& m_themes;
  MappingHistory* m_history;
  std::shared_ptr<const OpenUnits> m_units;  ///< null: they are being opened, or cannot be
  MappingPicturePtr m_picture;               ///< null: none yet
  bool m_isApplied = true;                   ///< as it is, the mapping is that of the comparison
  bool m_isSaved = false;
  std::uint64_t m_changes = 0;  ///< until now
  bool m_isFitted = false;      ///< the columns have their widths
  int m_row = -1;               ///< chosen in the baseline's list, also when its name has gone
  MessageBar* m_messages;
  QComboBox* m_pairs;
  QLabel* m_headline;
  List m_baseline;
  List m_candidate;
  QPushButton* m_match = nullptr;
  QPushButton* m_alike = nullptr;
  QPushButton* m_mutual = nullptr;
  NameRuleModel* m_rules;
  QTableView* m_ruleTable = nullptr;
  QLineEdit* m_from = nullptr;
  QLineEdit* m_to = nullptr;
  QLabel* m_effect = nullptr;
  QPushButton* m_add = nullptr;
  QPushButton* m_change = nullptr;
  QPushButton* m_remove = nullptr;
  QPushButton* m_undo = nullptr;
  QPushButton* m_redo = nullptr;
  QPushButton* m_load = nullptr;
  QPushButton* m_save = nullptr;
  QPushButton* m_apply = nullptr;
};

}  // namespace ulp::views
