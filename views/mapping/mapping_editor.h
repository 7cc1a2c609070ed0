#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <QtWidgets/QDialog>

#include "views/mapping/mapping_history.h"
#include "views/mapping/mapping_picture.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace ulp::views {

class Background;
class MessageBar;
class OpenNamesList;
class RulesPanel;
class ThemeManager;

/// What only one of two dumps has, side by side with who may be its partner, and the rules and
/// pairs by which names are matched. A window of its own: it stays while the comparison is made
/// again with what it says. It opens the dumps and matches them in the background; its lists and
/// its panel of rules look after themselves.
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
  void makePage();
  [[nodiscard]] QWidget* makeMatching();
  [[nodiscard]] QWidget* makeEnd();
  void connectParts();
  void openDumps();
  void openPair();
  void showNotOpened(const Error& error);
  void match();
  /// Shows what a mapping makes of the names, before partners have been looked for.
  void showPicture(const MappingPicturePtr& picture);
  /// Shows the partners, too.
  void complete(const MappingPicturePtr& picture);
  void showHeadline();
  [[nodiscard]] static QString topicOf(const char* what);
  void showError(const Error& error, const char* topic);
  void updateButtons();
  void chooseSuggestion();
  /// The pair of the names chosen at both sides; nothing where one is missing, or where they have
  /// no tensor of the same role and pass.
  [[nodiscard]] std::optional<analysis::NamePair> pairOfChosen() const;
  [[nodiscard]] std::optional<analysis::RenameRule> ruleOfChosen() const;
  void matchChosen();
  void matchAlike();
  void matchMutual();
  void apply();

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
  MessageBar* m_messages = nullptr;
  QComboBox* m_pairs;
  QLabel* m_headline;
  OpenNamesList* m_baseline;
  OpenNamesList* m_candidate;
  RulesPanel* m_rules;
  QPushButton* m_match = nullptr;
  QPushButton* m_alike = nullptr;
  QPushButton* m_mutual = nullptr;
  QPushButton* m_undo = nullptr;
  QPushButton* m_redo = nullptr;
  QPushButton* m_load = nullptr;
  QPushButton* m_save = nullptr;
  QPushButton* m_apply = nullptr;
};

}  // namespace ulp::views
