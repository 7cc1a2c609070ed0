#include "views/plugins/tensor/tensor_view.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <QtGui/QAction>
#include <QtGui/QActionGroup>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QToolButton>

#include "core/analysis/tensors/tensor_slice.h"
#include "views/charts/raster/raster_widget.h"
#include "views/framework/document/other_inputs.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/words/site_text.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/tensor/inspector/profile_reader.h"
#include "views/plugins/tensor/pictures/tensor_text.h"

namespace ulp::views {
namespace {

using analysis::PlanePoint;
using analysis::Quantity;

/// A key held for longer shows; a shorter tap toggles. Milliseconds.
constexpr qint64 kTap = 300;

}  // namespace

TensorView::TensorView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_source(new TensorPairSource(context.background, this)),
      m_quantities(new QActionGroup(this)),
      m_slices(new SliceBar(this)),
      m_elementField(new QLineEdit(this)),
      m_panes(new TensorPanes(context.background, this)),
      m_inspector(new TensorInspector(context.themes, this)),
      m_split(new QSplitter(Qt::Horizontal, this)),
      m_sample(new QLabel(this)),
      m_reading(new ReadingBar(context.background, m_panes->tiles(), this)) {
  makeQuantities();
  makeActions();
  makePage();
  connectParts();
  context.themes.follow(m_panes, &TensorPanes::setTheme);
  context.themes.follow(m_inspector, &TensorInspector::setTheme);
}

TensorView::~TensorView() {
  context().background.cancel(workTag("tensor-profiles"));
  m_panes->tiles().cancel();
}

void TensorView::makeQuantities() {
  int key = Qt::Key_1;
  for (const Quantity quantity : analysis::kQuantities) {
    auto* action = new QAction(quantitySymbol(quantity), this);
    action->setCheckable(true);
    action->setData(static_cast<int>(quantity));
    action->setShortcut(key++);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_quantities->addAction(action);
    addAction(action);
    connect(
        action, &QAction::triggered, this, [this, quantity] { m_panes->setQuantity(quantity); });
  }
  m_quantities->actions()[static_cast<int>(m_panes->quantity())]->setChecked(true);
  keep(
      "quantity",
      [this] { return static_cast<int>(m_isOne ? m_chosen : m_panes->quantity()); },
      [this](const QJsonValue& kept) {
        const int quantity = kept.toInt(-1);
        if (quantity >= 0 && quantity < static_cast<int>(analysis::kQuantities.size())) {
          m_chosen = static_cast<Quantity>(quantity);
          m_panes->setQuantity(m_isOne ? Quantity::Reference : m_chosen);
        }
      });
}

void TensorView::makeActions() {
  QAction* const quad = makeTitleSwitch(
      {.icon = "quad", .text = tr("Four pictures beside each other"), .key = Qt::Key_Q});
  QAction* const blink =
      makeTitleAction({.icon = "blink", .text = tr("Blink between A and B (Space)")});
  QAction* const mean = makeTitleSwitch(
      {.icon = "mean", .text = tr("Mean of each cell instead of its extreme"), .key = Qt::Key_M});
  const QAction* goTo =
      makeTitleAction({.icon = "go-to", .text = tr("Go to element…"), .key = Qt::CTRL | Qt::Key_G});
  const QAction* everything =
      makeTitleAction({.icon = "zoom-reset", .text = tr("Show everything")});
  m_quad = quad;
  m_blink = blink;
  keep("quad", quad);
  keep("mean", mean);
  keep(
      "tab",
      [this] { return m_inspector->tabs().currentIndex(); },
      [this](const QJsonValue& tab) {
        m_inspector->tabs().setCurrentIndex(tab.toInt(m_inspector->tabs().currentIndex()));
      });
  connect(
      quad, &QAction::toggled, this, [this](bool isQuad) { m_panes->setQuad(isQuad && !m_isOne); });
  connect(mean, &QAction::toggled, this, [this](bool isMean) {
    m_panes->setCellValue(isMean ? CellValue::Mean : CellValue::Extreme);
  });
  connect(m_blink, &QAction::triggered, m_panes, &TensorPanes::blink);
  connect(everything, &QAction::triggered, m_panes, &TensorPanes::showEverything);
  connect(goTo, &QAction::triggered, this, [this] {
    m_elementField->setFocus(Qt::ShortcutFocusReason);
    m_elementField->selectAll();
  });
}

QWidget* TensorView::makeTopBar() {
  auto* bar = new QWidget(this);
  auto* label = new QLabel(tr("Element"), bar);
  m_quantityButtons = new QWidget(bar);
  auto* buttons = rowOf(m_quantityButtons, {}, kTight);
  rowOf(bar,
        {m_quantityButtons,
         BoxItem::space(12),
         {m_sample, 1},
         BoxItem::stretch(),
         label,
         BoxItem::space(4),
         m_elementField},
        {.margins = QMargins(8, 4, 8, 0), .spacing = 0});
  for (QAction* action : m_quantities->actions()) {
    auto* button = new QToolButton(bar);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    buttons->addWidget(button);
  }
  m_sample->setForegroundRole(QPalette::PlaceholderText);
  label->setBuddy(m_elementField);
  m_elementField->setAccessibleName(tr("Element"));
  m_elementField->setToolTip(tr("Position of an element, as 0, 5, 17; Return goes there (Ctrl+G)"));
  m_elementField->setMaximumWidth(m_elementField->fontMetrics().averageCharWidth() * 20);
  return bar;
}

void TensorView::makePage() {
  m_split->addWidget(m_panes);
  m_split->addWidget(m_inspector);
  m_split->setStretchFactor(0, 1);
  m_split->setStretchFactor(1, 0);
  m_split->setSizes({3 * m_inspector->sizeHint().width(), m_inspector->sizeHint().width()});
  m_split->setChildrenCollapsible(false);
  auto* page = new QWidget(this);
  columnOf(page,
           {makeTopBar(), m_slices, {m_split, 1}, m_reading},
           {.margins = QMargins(), .spacing = 4});
  setPage(page);
  setFocusProxy(m_panes);
}

void TensorView::connectParts() {
  connect(m_source, &TensorPairSource::pairReady, this, &TensorView::showPair);
  connect(m_source, &TensorPairSource::pairMissing, this, &TensorView::showProblem);
  connect(m_panes, &TensorPanes::hovered, this, &TensorView::hover);
  connect(m_panes, &TensorPanes::picked, this, [this](const PlanePoint& at) {
    if (m_pair && m_plane) {
      context().selection.selectElement(m_pair->fullIndex(m_plane->flatAt(at)));
    }
  });
  connect(m_panes, &TensorPanes::viewChanged, this, [this] {
    readProfilesAt(m_selected);
    Q_EMIT viewpointChanged();
  });
  connect(m_panes, &TensorPanes::colorsChanged, this, &View::viewpointChanged);
  connect(m_panes, &TensorPanes::quantityChanged, this, [this](Quantity quantity) {
    m_quantities->actions()[static_cast<int>(quantity)]->setChecked(true);
  });
  connect(m_inspector, &TensorInspector::elementPicked, this, &TensorView::goTo);
  connect(m_reading, &ReadingBar::known, this, [this] {
    m_inspector->setStatistics(m_reading->statistics());
  });
  connect(m_reading, &ReadingBar::failed, this, [this](const Error& error) {
    context().workspace.messages.raise(messageOf(error, QStringLiteral("tensor-statistics")));
  });
  connect(m_slices, &SliceBar::sliceEdited, this, [this](const QString& slice) {
    context().selection.selectSlice(slice);
  });
  connect(m_slices, &SliceBar::axesEdited, this, [this](const analysis::PlaneAxes& axes) {
    m_axes = axes;
    applySlice();
    applyElement();
  });
  connect(m_elementField, &QLineEdit::returnPressed, this, &TensorView::onElementField);
}

void TensorView::setReport(const DocumentPtr& document) {
  m_document = document;
  m_isRequested = false;
  m_source->setReport(document);
  if (!document) {
    showProblem({});
    showNoReport(
        tr("Here the selected tensor is shown element by element, reference and variant."));
  }
}

void TensorView::setSelection(const Selection& selection) {
  const bool isSame = m_isRequested && selection.run() == m_selection.run() &&
                      selection.site == m_selection.site && selection.pass == m_selection.pass;
  const bool sliceChanged = selection.slice != m_selection.slice;
  m_selection = selection;
  if (!m_document) {
    return;
  }
  if (!isSame) {
    m_isRequested = m_isAwaited = true;
    m_source->request(selection);
    return;
  }
  if (!m_pair) {
    return;
  }
  if (sliceChanged) {
    applySlice();
  }
  applyElement();
  if (sliceChanged) {
    Q_EMIT viewpointChanged();
  }
}

bool TensorView::showsTensor() const {
  return pages().showsPage();
}

void TensorView::showProblem(const TensorPairProblem& problem) {
  m_isAwaited = false;
  m_reading->clear();
  m_pair = nullptr;
  m_plane.reset();
  m_selected.reset();
  m_panes->setContent({});
  m_inspector->setPair(nullptr, nullptr, {});
  pages().showEmpty(problem.title, problem.text);
  if (problem.kind == TensorPairProblem::Kind::NoTensors) {
    offerStudy();
  }
  seekFurther();
}

void TensorView::offerStudy() {
  const std::filesystem::path& folder = m_document->loaded().folder;
  if (folder.empty() || m_document->report().dumps) {
    return;
  }
  const std::filesystem::path study = folder / "study.yaml";
  std::error_code ignored;
  if (std::filesystem::exists(study, ignored)) {
    pages().empty().setButton(tr("Open the study"),
                              [this, path = QString::fromStdString(study.string())] {
                                context().workspace.open({path});
                              });
  }
}

std::vector<analysis::Dimension> TensorView::dimensions() const {
  return m_pair->isSample() ? std::vector{analysis::Dimension::Element}
                            : analysis::dimensionsOf(m_pair->site, m_pair->shape().size());
}

void TensorView::showAsOne(bool isOne) {
  if (isOne == m_isOne) {
    return;
  }
  if (isOne) {
    m_chosen = m_panes->quantity();
  }
  m_isOne = isOne;
  m_panes->setQuantity(isOne ? Quantity::Reference : m_chosen);
  m_panes->setQuad(!isOne && m_quad->isChecked());
  m_quantityButtons->setVisible(!isOne);
  for (QAction* action : m_quantities->actions()) {
    action->setEnabled(!isOne);
  }
  m_quad->setVisible(!isOne);
  m_blink->setVisible(!isOne);
}

void TensorView::showPair(const analysis::TensorPairPtr& pair) {
  m_isAwaited = false;
  m_reading->clear();
  showAsOne(isOneTensor(*pair));
  const bool isSameShape = m_pair && m_pair->shape() == pair->shape();
  m_pair = pair;
  m_plane.reset();
  m_selected.reset();
  if (!isSameShape) {
    m_axes = {};
  }
  const int variant = m_document->findVariant(m_selection.run());
  const int site = m_document->findSite(pair->site.name, pair->site.pass);
  const report::Comparison* comparison =
      variant >= 0 && site >= 0 ? m_document->comparison(variant, site) : nullptr;
  m_inspector->setPair(
      pair,
      comparison,
      {m_document->baselineOf(m_selection.run()), m_selection.run(), std::max(0, variant)});
  m_slices->setTensor(pair->shape(), dimensions());
  QStringList notes;
  if (pair->isSample()) {
    notes << tr("Sample: 1 of %1 elements was kept, from a tensor of shape %2")
                 .arg(static_cast<qulonglong>(pair->sampleStride))
                 .arg(shapeText(pair->fullShape));
  }
  notes << otherInputsText(*m_document, variant);
  notes.removeAll(QString());
  m_sample->setText(notes.join(QStringLiteral(" · ")));
  pages().showPage();
  applySlice();
  applyElement();
  m_reading->read(pair);
  Q_EMIT contentReplaced();
  seekFurther();
}

Sight TensorView::bringIntoSight() {
  if (m_isAwaited) {
    return Sight::Awaited;
  }
  if (!m_pair || !showsTensor()) {
    return Sight::Absent;
  }
  m_panes->setCurrent(m_selected);
  return Sight::Seen;
}

std::optional<PlaceMark> TensorView::placeMark() const {
  if (!m_pair || m_isAwaited || !showsTensor()) {
    return std::nullopt;
  }
  const charts::RasterWidget& picture = m_panes->raster(0);
  const QRect cell = picture.cellRect(picture.current()).toAlignedRect();
  const QRect area = seenOf(picture, cell.isEmpty() ? picture.rect() : cell.adjusted(-2, -2, 2, 2));
  if (area.isEmpty()) {
    return std::nullopt;
  }
  return PlaceMark{.site = QString::fromStdString(m_pair->site.name),
                   .pass = m_pair->site.pass,
                   .run = m_selection.run(),
                   .area = area};
}

void TensorView::applySlice() {
  const std::string text = m_pair->isSample() ? std::string() : m_selection.slice.toStdString();
  auto plane = analysis::parseSlice(text, m_pair->shape()).and_then([this](const auto& slice) {
    return analysis::makePlane(m_pair->shape(), slice, m_axes);
  });
  if (!plane) {
    m_slices->setProblem(QString::fromStdString(plane.error().message()));
    if (m_plane) {
      return;  // what is shown stays until the slice is one
    }
    const auto whole = analysis::parseSlice("", m_pair->shape());
    plane = analysis::makePlane(m_pair->shape(), *whole, m_axes);
  } else {
    m_slices->setPlane(*plane);
  }
  if (m_plane && *m_plane == *plane) {
    return;
  }
  m_plane = std::move(*plane);
  m_panes->setContent(
      {m_pair,
       *m_plane,
       {m_document->baselineOf(m_selection.run()), m_selection.run(), m_pair->ulpFormat},
       m_slices->dimensionName(m_plane->rowDimension),
       m_slices->dimensionName(m_plane->columnDimension)});
}

std::optional<ElementFacts> TensorView::factsAt(std::int64_t flat) const {
  return analysis::isHere(*m_pair, flat)
             ? std::optional(factsOf(*m_pair, flat, m_pair->fullIndex(flat)))
             : std::nullopt;
}

void TensorView::fetchElement(std::int64_t flat) {
  context().background.run<bool>(
      workTag("tensor-element"),
      this,
      [pair = m_pair, flat](const std::stop_token& /*stop*/) {
        return analysis::bring(*pair, {.first = flat}).has_value();
      },
      [this, pair = m_pair](bool isHere) {
        if (isHere && pair == m_pair) {
          applyElement();
        }
      });
}

void TensorView::applyElement() {
  const std::optional<std::int64_t> flat = m_selection.element.empty() && !m_pair->fullShape.empty()
                                               ? std::nullopt
                                               : m_pair->find(m_selection.element);
  m_selected = flat ? placeOf(m_selection.element) : std::nullopt;
  m_panes->setCurrent(m_selected);
  const std::optional<ElementFacts> facts = flat ? factsAt(*flat) : std::nullopt;
  m_inspector->readout().setSelectedElement(facts);
  if (flat && !facts) {
    fetchElement(*flat);
  }
  QStringList parts;
  for (const std::int64_t i : m_selection.element) {
    parts << QString::number(i);
  }
  m_elementField->setText(parts.join(QStringLiteral(", ")));
  readProfilesAt(m_selected);
}

std::optional<PlanePoint> TensorView::placeOf(const std::vector<std::int64_t>& element) const {
  const std::optional<std::int64_t> flat = m_pair->find(element);
  return flat ? m_plane->locate(numerics::unravel(static_cast<std::size_t>(*flat), m_pair->shape()))
              : std::nullopt;
}

void TensorView::hover(const std::optional<PlanePoint>& at) {
  m_cursor = at && m_pair ? m_pair->fullIndex(m_plane->flatAt(*at)) : std::vector<std::int64_t>();
  showCursor(at);
  Q_EMIT viewpointChanged();
}

void TensorView::showCursor(const std::optional<PlanePoint>& at) {
  m_inspector->readout().setCursorElement(at && m_pair && m_plane ? factsAt(m_plane->flatAt(*at))
                                                                  : std::nullopt);
  // From another machine no column comes because the mouse passes by.
  const bool followsMouse = at && m_pair && !analysis::hasParts(*m_pair);
  readProfilesAt(followsMouse ? at : m_selected);
}

bool TensorView::showsWindowSelection() const {
  const Selection& window = context().selection.selection();
  return window.run() == m_selection.run() && window.site == m_selection.site &&
         window.pass == m_selection.pass && window.slice == m_selection.slice;
}

Viewpoint TensorView::viewpoint() const {
  Viewpoint viewpoint = m_panes->viewpoint();
  if (!viewpoint.numbers.empty()) {
    viewpoint.slice = m_selection.slice;
    viewpoint.cursor = m_cursor;
  }
  return viewpoint;
}

void TensorView::shareExtents(const std::vector<AxisExtent>& extents) {
  m_panes->shareExtents(extents);
}

void TensorView::follow(const Viewpoint& viewpoint) {
  if (!m_pair || !m_plane) {
    return;
  }
  // The slice of what is selected is part of the selection.
  const bool hasOtherSlice = viewpoint.slice && *viewpoint.slice != m_selection.slice;
  if (hasOtherSlice && !showsWindowSelection() &&
      analysis::parseSlice(viewpoint.slice->toStdString(), m_pair->shape())) {
    m_selection.slice = *viewpoint.slice;
    applySlice();
    applyElement();
  }
  m_panes->follow(viewpoint);
  const std::optional<PlanePoint> at =
      viewpoint.cursor && !viewpoint.cursor->empty() ? placeOf(*viewpoint.cursor) : std::nullopt;
  m_panes->setHovered(at);
  showCursor(at);
}

void TensorView::readProfilesAt(const std::optional<PlanePoint>& at) {
  if (!m_pair || !m_plane || !at) {
    context().background.cancel(workTag("tensor-profiles"));
    m_inspector->setProfiles({}, {});
    return;
  }
  using Profiles = std::pair<Profile, Profile>;
  const QString columnName = m_slices->dimensionName(m_plane->columnDimension);
  const bool isFolded = m_plane->rowDimension < 0;
  const QString rowName = isFolded ? columnName : m_slices->dimensionName(m_plane->rowDimension);
  context().background.run<Profiles>(
      workTag("tensor-profiles"),
      this,
      [pair = m_pair, plane = *m_plane, at = *at, visible = m_panes->visible()](
          const std::stop_token& stop) { return readProfiles(*pair, plane, at, visible, stop); },
      [this, rowName, columnName](Profiles profiles) {
        profiles.first.axis = columnName;
        profiles.second.axis = rowName;
        profiles.first.title = tr("Along the row, %1").arg(columnName);
        profiles.second.title = tr("Along the column, %1").arg(rowName);
        m_inspector->setProfiles(profiles.first, profiles.second);
      });
}

void TensorView::goTo(const std::vector<std::int64_t>& index) {
  if (!m_pair || !m_plane) {
    return;
  }
  Selection next = m_selection;
  next.element = index;
  const auto flat = m_pair->find(index);
  if (flat && !placeOf(index) && !m_pair->isSample()) {
    // The slice moves to where the element is.
    std::vector<analysis::SliceRange> slice = m_plane->slice;
    for (std::size_t d = 0; d < slice.size(); ++d) {
      const auto dimension = static_cast<int>(d);
      const bool isAxis =
          dimension == m_plane->rowDimension || dimension == m_plane->columnDimension;
      slice[d] = isAxis ? analysis::SliceRange{0, 1, m_pair->shape()[d], false}
                        : analysis::SliceRange{index[d], 1, 1, true};
    }
    next.slice = QString::fromStdString(analysis::sliceText(slice, m_pair->shape()));
  }
  context().selection.select(next);
}

void TensorView::onElementField() {
  if (!m_pair) {
    return;
  }
  const auto index = parseElement(m_elementField->text(), m_pair->fullShape);
  if (!index || !m_pair->find(*index)) {
    const QString text = m_elementField->text();
    m_slices->setProblem(index ? tr("The sample holds no element at %1.").arg(text)
                               : tr("%1 is no element of a tensor of shape %2.")
                                     .arg(text, shapeText(m_pair->fullShape)));
    return;
  }
  m_slices->setProblem({});
  goTo(*index);
  m_panes->setFocus(Qt::OtherFocusReason);
}

void TensorView::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || !showsTensor() || m_isOne) {
    View::keyPressEvent(event);
    return;
  }
  if (!event->isAutoRepeat()) {
    m_beforeBlink = m_panes->quantity();
    m_blinkHeld.start();
    m_panes->blink();
  }
}

void TensorView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat() || !m_blinkHeld.isValid()) {
    View::keyReleaseEvent(event);
    return;
  }
  if (m_blinkHeld.elapsed() > kTap) {
    m_panes->setQuantity(m_beforeBlink);
  }
  m_blinkHeld.invalidate();
}

std::vector<Exhibit> TensorView::exhibits() const {
  std::vector<Exhibit> exhibits;
  if (showsTensor()) {
    exhibits = m_panes->exhibits();
    for (Exhibit& exhibit : m_inspector->exhibits()) {
      exhibits.push_back(std::move(exhibit));
    }
  }
  return exhibits;
}

void registerTensor(ViewRegistry& registry) {
  registry.add<TensorView>({.id = QStringLiteral("tensor"),
                            .title = TensorView::tr("Tensor"),
                            .toolTip = TensorView::tr("The selected tensor element by element"),
                            .icon = QStringLiteral("tensor"),
                            .shortcut = QKeySequence(Qt::ALT | Qt::Key_8),
                            .order = 35,
                            .drillLevel = TensorView::kDrillLevel,
                            .layouts = {.inspect = true},
                            .hasViewport = true});
}

}  // namespace ulp::views
