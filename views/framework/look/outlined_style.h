#pragma once

#include <QtWidgets/QProxyStyle>

namespace ulp::views {

/// Fusion, whose controls get an outline in the text's colour when the theme is one of high
/// contrast: Fusion derives outlines from the window's colour, and a darker black is no outline.
/// In other dark themes boxes to tick get an edge that can be seen, and in all of them scroll bars
/// a handle.
class OutlinedStyle : public QProxyStyle {
  Q_OBJECT

 public:
  OutlinedStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

  void setOutlined(bool outlined) { m_outlined = outlined; }

  /// Buttons of dialogs have words alone: icons are those of resources/icons, never the desktop's.
  int styleHint(StyleHint hint,
                const QStyleOption* option = nullptr,
                const QWidget* widget = nullptr,
                QStyleHintReturn* answer = nullptr) const override;
  /// What a toolbar has no room for lies behind an icon of ours, which is seen in every theme.
  QIcon standardIcon(StandardPixmap standard,
                     const QStyleOption* option = nullptr,
                     const QWidget* widget = nullptr) const override;
  void drawPrimitive(PrimitiveElement element,
                     const QStyleOption* option,
                     QPainter* painter,
                     const QWidget* widget = nullptr) const override;
  void drawComplexControl(ComplexControl control,
                          const QStyleOptionComplex* option,
                          QPainter* painter,
                          const QWidget* widget = nullptr) const override;

 private:
  bool m_outlined = false;
};

}  // namespace ulp::views
