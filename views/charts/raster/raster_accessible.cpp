#include "views/charts/raster/raster_accessible.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include <QtWidgets/QAccessibleWidget>

#include "views/charts/raster/raster_widget.h"

namespace ulp::views::charts {
namespace {

int cellCount(const RasterWidget& raster) {
  const std::int64_t count =
      static_cast<std::int64_t>(raster.content().rowCount()) * raster.content().columnCount();
  return static_cast<int>(std::min<std::int64_t>(count, std::numeric_limits<int>::max()));
}

/// One cell. It outlives neither the widget nor, as a valid one, the rows and columns.
class CellAccessible : public QAccessibleInterface, public QAccessibleTableCellInterface {
 public:
  CellAccessible(RasterWidget& raster, int index) : m_raster(&raster), m_index(index) {}

  [[nodiscard]] bool isValid() const override {
    return !m_raster.isNull() && m_index < cellCount(*m_raster);
  }
  [[nodiscard]] QObject* object() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* parent() const override {
    return QAccessible::queryAccessibleInterface(m_raster.data());
  }
  [[nodiscard]] QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override {
    return nullptr;
  }
  [[nodiscard]] int childCount() const override { return 0; }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface* /*child*/) const override {
    return -1;
  }
  [[nodiscard]] QString text(QAccessible::Text kind) const override {
    return isValid() && kind == QAccessible::Name ? m_raster->cellInWords(cell()) : QString();
  }
  void setText(QAccessible::Text /*kind*/, const QString& /*text*/) override {}
  [[nodiscard]] QRect rect() const override {
    if (!isValid()) {
      return {};
    }
    const QRect place = m_raster->cellRect(cell()).toAlignedRect();
    return {m_raster->mapToGlobal(place.topLeft()), place.size()};
  }
  [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }
  [[nodiscard]] QAccessible::State state() const override {
    QAccessible::State state;
    state.selectable = true;
    state.focusable = true;
    state.invalid = !isValid();
    if (isValid()) {
      state.selected = m_raster->current() == cell();
      state.focused = state.selected && m_raster->hasFocus();
      state.offscreen = m_raster->cellRect(cell()).isEmpty();
    }
    return state;
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::TableCellInterface
               ? static_cast<QAccessibleTableCellInterface*>(this)
               : nullptr;
  }

  [[nodiscard]] bool isSelected() const override { return isValid() && state().selected; }
  [[nodiscard]] QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
  [[nodiscard]] QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
  [[nodiscard]] int columnIndex() const override { return cell().column; }
  [[nodiscard]] int rowIndex() const override { return cell().row; }
  [[nodiscard]] int columnExtent() const override { return 1; }
  [[nodiscard]] int rowExtent() const override { return 1; }
  [[nodiscard]] QAccessibleInterface* table() const override { return parent(); }

 private:
  [[nodiscard]] RasterCell cell() const {
    const int columns = std::max(1, m_raster.isNull() ? 1 : m_raster->content().columnCount());
    return {m_index / columns, m_index % columns};
  }

  QPointer<RasterWidget> m_raster;
  int m_index;
};

class RasterAccessible final : public QAccessibleWidget, public QAccessibleTableInterface {
 public:
  explicit RasterAccessible(RasterWidget& raster)
      // As a table, readers would speak a whole row whenever another one is entered.
      : QAccessibleWidget(&raster, QAccessible::Chart), m_raster(raster) {}
  ~RasterAccessible() override {
    for (const auto& [index, id] : m_cells) {
      QAccessible::deleteAccessibleInterface(id);
    }
  }
  RasterAccessible(const RasterAccessible&) = delete;
  RasterAccessible& operator=(const RasterAccessible&) = delete;

  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface*>(this)
                                               : QAccessibleWidget::interface_cast(type);
  }
  [[nodiscard]] QString text(QAccessible::Text kind) const override {
    return kind == QAccessible::Description ? m_raster.inWords() : QAccessibleWidget::text(kind);
  }
  [[nodiscard]] int childCount() const override { return cellCount(m_raster); }
  [[nodiscard]] QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= childCount()) {
      return nullptr;
    }
    const auto known = m_cells.find(index);
    if (known != m_cells.end()) {
      return QAccessible::accessibleInterface(known->second);
    }
    auto* const made = new CellAccessible(m_raster, index);
    m_cells[index] = QAccessible::registerAccessibleInterface(made);
    return made;
  }
  [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override {
    const RasterCell cell = m_raster.cellAt(QPointF(m_raster.mapFromGlobal(QPoint(x, y))));
    return cell.isValid() ? cellAt(cell.row, cell.column) : nullptr;
  }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override {
    const auto* const cell = dynamic_cast<const CellAccessible*>(child);
    return cell == nullptr ? -1 : cell->rowIndex() * columnCount() + cell->columnIndex();
  }
  [[nodiscard]] QAccessibleInterface* focusChild() const override {
    const RasterCell cell = m_raster.current();
    return m_raster.hasFocus() && cell.isValid() ? cellAt(cell.row, cell.column) : nullptr;
  }

  [[nodiscard]] QAccessibleInterface* caption() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* summary() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* cellAt(int row, int column) const override {
    const bool exists = row >= 0 && row < rowCount() && column >= 0 && column < columnCount();
    return exists ? child(row * columnCount() + column) : nullptr;
  }
  [[nodiscard]] int rowCount() const override { return m_raster.content().rowCount(); }
  [[nodiscard]] int columnCount() const override { return m_raster.content().columnCount(); }
  [[nodiscard]] QString rowDescription(int row) const override {
    return m_raster.content().rows.descriptionOf(row);
  }
  [[nodiscard]] QString columnDescription(int column) const override {
    return m_raster.content().columns.descriptionOf(column);
  }
  [[nodiscard]] int selectedCellCount() const override {
    return m_raster.current().isValid() ? 1 : 0;
  }
  [[nodiscard]] int selectedColumnCount() const override { return 0; }
  [[nodiscard]] int selectedRowCount() const override { return 0; }
  [[nodiscard]] QList<QAccessibleInterface*> selectedCells() const override {
    const RasterCell cell = m_raster.current();
    QAccessibleInterface* const found = cell.isValid() ? cellAt(cell.row, cell.column) : nullptr;
    return found == nullptr ? QList<QAccessibleInterface*>() : QList{found};
  }
  [[nodiscard]] QList<int> selectedColumns() const override { return {}; }
  [[nodiscard]] QList<int> selectedRows() const override { return {}; }
  [[nodiscard]] bool isColumnSelected(int /*column*/) const override { return false; }
  [[nodiscard]] bool isRowSelected(int /*row*/) const override { return false; }
  bool selectRow(int /*row*/) override { return false; }
  bool selectColumn(int /*column*/) override { return false; }
  bool unselectRow(int /*row*/) override { return false; }
  bool unselectColumn(int /*column*/) override { return false; }
  void modelChange(QAccessibleTableModelChangeEvent* /*event*/) override {}

 private:
  RasterWidget& m_raster;
  mutable std::unordered_map<int, QAccessible::Id> m_cells;  ///< those that were asked for
};

QAccessibleInterface* makeRasterAccessible(const QString& className, QObject* object) {
  auto* const raster = qobject_cast<RasterWidget*>(object);
  const bool isRaster = className == QLatin1String(RasterWidget::staticMetaObject.className());
  return raster != nullptr && isRaster ? new RasterAccessible(*raster) : nullptr;
}

}  // namespace

void installRasterAccessibility() {
  // Qt takes no factory twice.
  QAccessible::installFactory(&makeRasterAccessible);
}

void announceCurrentCell(RasterWidget& widget) {
  const RasterCell cell = widget.current();
  if (!QAccessible::isActive() || !cell.isValid() || !widget.hasFocus()) {
    return;
  }
  QAccessibleEvent event(&widget, QAccessible::Focus);
  event.setChild(cell.row * widget.content().columnCount() + cell.column);
  QAccessible::updateAccessibility(&event);
}

}  // namespace ulp::views::charts
