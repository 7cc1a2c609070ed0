#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QtCore/QAbstractTableModel>

#include "views/mapping/mapping_picture.h"

namespace ulp::views {

/// The names of one side that have no partner, each with the one that is suggested. Rows are read
/// from the picture when they are painted, so that any number costs nothing.
class OpenNamesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum class Side : std::uint8_t { Baseline, Candidate };
  enum Column : std::uint8_t { Name, Partner, Score, Tensor, Passes, ColumnCount };

  explicit OpenNamesModel(Side side, QObject* parent = nullptr);

  /// Null: nothing. Every name is shown.
  void setPicture(const MappingPicturePtr& picture);
  /// The same picture, with suggestions now; rows stay where they are.
  void complete(const MappingPicturePtr& picture);
  /// The names that are shown, ascending.
  void setShown(std::vector<int> names);

  [[nodiscard]] const OpenSidePtr& side() const { return m_own; }
  /// Of a row, its place in OpenSide::names; -1: there is no such row.
  [[nodiscard]] int nameAt(int row) const;
  /// -1: it is not shown.
  [[nodiscard]] int rowOf(std::size_t name) const;
  /// Nothing while suggestions are looked for, and where nobody is like it.
  [[nodiscard]] std::optional<analysis::PartnerSuggestion> suggestionAt(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section,
                                    Qt::Orientation orientation,
                                    int role) const override;

 private:
  void take(const MappingPicturePtr& picture);
  [[nodiscard]] QString text(int row, int column) const;
  [[nodiscard]] QString toolTip(int row, int column) const;

  Side m_sideKind;
  MappingPicturePtr m_picture;
  OpenSidePtr m_own;
  OpenSidePtr m_other;
  std::vector<int> m_shown;
};

}  // namespace ulp::views
