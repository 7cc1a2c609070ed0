#pragma once

#include <cstddef>
#include <optional>

#include <QtWidgets/QWidget>

#include "views/mapping/open_names_model.h"

class QLabel;
class QLineEdit;
class QTableView;

namespace ulp::views {

class Background;
class ThemeManager;

/// The names of one side that have no partner: how many there are, a filter, and the list.
class OpenNamesList : public QWidget {
  Q_OBJECT

 public:
  /// `dump`: its name. `background` outlives the list.
  OpenNamesList(OpenNamesModel::Side side,
                const QString& dump,
                Background& background,
                const ThemeManager& themes);

  /// Shows the names of a picture that pass the filter; null: nothing.
  void setPicture(const MappingPicturePtr& picture);
  /// Shows the same picture, with suggestions now.
  void complete(const MappingPicturePtr& picture);
  /// Chooses a name; nothing: none.
  void choose(const std::optional<std::size_t>& name);
  /// Chooses, where the chosen name has gone, the one that stands in its place, so that Return goes
  /// on.
  void chooseAgain();
  /// Forgets where a name was chosen.
  void forgetPlace() { m_row = -1; }

  /// The name that is chosen, its place in OpenSide::names.
  [[nodiscard]] std::optional<std::size_t> chosen() const;
  /// Who may be its partner; nothing while that is looked for, and where nobody is like it.
  [[nodiscard]] std::optional<std::size_t> suggestedPartner() const;
  [[nodiscard]] bool isFiltering() const;

 Q_SIGNALS:
  void chosenChanged();
  /// Return was pressed, or a name double-clicked.
  void activated();
  /// The filter has been applied to other names.
  void filtered();

 private:
  void filter();
  void showTitle();

  Background& m_background;
  QString m_tag;  ///< of the filter
  OpenNamesModel* m_model;
  QTableView* m_table;
  QLabel* m_title;
  QLineEdit* m_filter;
  int m_row = -1;           ///< chosen, also when its name has gone
  bool m_isFitted = false;  ///< the columns have their widths
};

}  // namespace ulp::views
