#pragma once

#include <initializer_list>
#include <optional>

#include <QtCore/QMargins>
#include <QtWidgets/QBoxLayout>

namespace ulp::views {

/// What a row or a column holds: a widget or a layout, with its share of the spare room (0: none),
/// or room without anything in it.
class BoxItem {
 public:
  BoxItem(QWidget* widget, int share = 0) : m_widget(widget), m_share(share) {}
  BoxItem(QLayout* layout, int share = 0) : m_layout(layout), m_share(share) {}
  /// Makes spare room of this share.
  [[nodiscard]] static BoxItem stretch(int share = 1) { return {share, 0}; }
  /// Makes room of so many pixels.
  [[nodiscard]] static BoxItem space(int pixels) { return {0, pixels}; }

  void addTo(QBoxLayout& box) const;

 private:
  BoxItem(int share, int pixels) : m_share(share), m_pixels(pixels) {}

  QWidget* m_widget = nullptr;
  QLayout* m_layout = nullptr;
  int m_share = 0;
  int m_pixels = 0;
};

/// Distances inside a row or column; as the style has them unless said otherwise.
struct BoxShape {
  std::optional<QMargins> margins{};
  std::optional<int> spacing{};
};
inline const BoxShape kTight{.margins = QMargins(), .spacing = 0};

/// Lays items out below or beside each other, as the layout of `parent`; null: to be put into
/// another layout.
QVBoxLayout* columnOf(QWidget* parent,
                      std::initializer_list<BoxItem> items,
                      const BoxShape& shape = {});
QHBoxLayout* rowOf(QWidget* parent,
                   std::initializer_list<BoxItem> items,
                   const BoxShape& shape = {});

}  // namespace ulp::views
