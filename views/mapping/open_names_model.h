#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <QtCore/QCoreApplication>

#include "views/framework/tables/row_table_model.h"
#include "views/mapping/mapping_picture.h"

namespace ulp::views {

/// The names of one side that have no partner, each with the one that is suggested. A row is the
/// place of a name in OpenSide::names; its cells are read from the picture when they are painted,
/// so that any number costs nothing.
class OpenNamesModel : public RowTableModel<int> {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::OpenNamesModel)

 public:
  enum class Side : std::uint8_t { Baseline, Candidate };
  enum ColumnId : std::uint8_t { Name, Partner, Score, Tensor, Passes };

  explicit OpenNamesModel(Side side, QObject* parent = nullptr);

  /// Null: nothing. Every name is shown.
  void setPicture(const MappingPicturePtr& picture);
  /// The same picture, with suggestions now; rows stay where they are.
  void complete(const MappingPicturePtr& picture);
  void showAll();
  /// Shows these names, ascending.
  void setShown(std::vector<int> names);

  [[nodiscard]] const OpenSidePtr& side() const { return m_own; }
  /// Of a row, its place in OpenSide::names; -1: there is no such row.
  [[nodiscard]] int nameAt(int row) const;
  /// -1: it is not shown.
  [[nodiscard]] int rowOf(std::size_t name) const;
  /// Nothing while suggestions are looked for, and where nobody is like it.
  [[nodiscard]] std::optional<analysis::PartnerSuggestion> suggestionAt(int row) const;

 private:
  void take(const MappingPicturePtr& picture);
  [[nodiscard]] std::vector<Column<int>> columns() const;
  [[nodiscard]] std::optional<analysis::PartnerSuggestion> suggestionOf(int name) const;
  [[nodiscard]] const analysis::OpenName& own(int name) const {
    return m_own->names[static_cast<std::size_t>(name)];
  }
  [[nodiscard]] QString partnerText(int name) const;
  [[nodiscard]] QString toolTipOf(int name) const;
  [[nodiscard]] QString toolTipOfPartner(int name) const;

  Side m_sideKind;
  MappingPicturePtr m_picture;
  OpenSidePtr m_own;
  OpenSidePtr m_other;
  Rows m_shown = std::make_shared<const std::vector<int>>();
};

}  // namespace ulp::views
