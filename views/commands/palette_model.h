#pragma once

#include <memory>
#include <vector>

#include <QtCore/QAbstractListModel>
#include <QtCore/QStringList>

#include "views/framework/document/report_document.h"
#include "views/framework/words/fuzzy_match.h"

namespace ulp::views {

/// Something to choose in a palette.
struct PaletteItem {
  QString id;      ///< by which it is remembered as recently used
  QString text;    ///< matched against what is typed
  QString detail;  ///< at the right: shortcut or kind
  bool enabled = true;
};

/// All there is to choose, with its index. Immutable, made on any thread.
class PaletteItems {
 public:
  explicit PaletteItems(std::vector<PaletteItem> items);
  [[nodiscard]] const std::vector<PaletteItem>& items() const { return m_items; }
  /// As FuzzyIndex::search; without a query, those of `recent` lead, newest first.
  [[nodiscard]] FuzzyResult search(const QString& query,
                                   const QStringList& recent,
                                   const FuzzyResult* previous,
                                   const std::stop_token& stop = {}) const;
  /// Letters to highlight in item `index`.
  [[nodiscard]] std::vector<int> positions(int index, const QString& query) const;

  /// How many matches are listed; more are counted only.
  static constexpr std::size_t kListed = 200;

 private:
  std::vector<PaletteItem> m_items;
  FuzzyIndex m_index;
};

using PaletteItemsPtr = std::shared_ptr<const PaletteItems>;

/// The best matches as rows.
class PaletteModel : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role { DetailRole = Qt::UserRole + 1, PositionsRole };

  using QAbstractListModel::QAbstractListModel;

  void show(PaletteItemsPtr items, const FuzzyResult& result);
  /// The row must exist.
  [[nodiscard]] const PaletteItem& item(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  PaletteItemsPtr m_items;
  QString m_query;
  std::vector<FuzzyHit> m_hits;
};

/// Variants and tensors of a report as a palette lists them. Any thread.
[[nodiscard]] PaletteItemsPtr reportItems(const ReportDocument& document);

/// What the id of such an item names.
struct ReportPlace {
  int variant = -1;
  int site = -1;
};
[[nodiscard]] ReportPlace placeOf(const ReportDocument& document, const QString& id);

}  // namespace ulp::views
