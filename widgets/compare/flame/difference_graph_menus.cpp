// Menus and export formats of the differential flame graph.

#include "core/compare/tree_difference_svg.h"
#include "widgets/compare/flame/difference_graph_view.h"
#include "widgets/compare/flame/difference_picture.h"
#include "widgets/compare/functions/difference_functions_view.h"
#include "widgets/controls/menus.h"
#include "widgets/flame/frame/flame_exporter.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>

namespace helio {

void DifferenceGraphView::change(const std::function<void(DifferenceGraphOptions&)>& edit)
{
    DifferenceGraphOptions look = m_look;
    edit(look);
    setLook(look);
}

void DifferenceGraphView::choose(const std::function<void(DifferenceSettings&)>& edit)
{
    DifferenceSettings choices = m_model.choices();
    edit(choices);
    m_model.setChoices(choices);
}

void DifferenceGraphView::fillAmountMenu(QMenu* menu)
{
    using Per = DifferenceSettings::Per;
    const DifferenceSettings& now = m_model.choices();
    menu->addSection(tr("Amounts"));
    addChoices(menu, now.basis.per,
               {{now.isOfAll ? tr("Time or events") : tr("Time or events per process"), Per::Run},
                {tr("Share of all samples"), Per::Share},
                {tr("Raw sample counts"), Per::Samples}},
               [this](Per per) { choose([per](DifferenceSettings& it) { it.basis.per = per; }); });
    addExclusiveAction(menu, tr("Per unit of work\u2026"), now.basis.per == Per::Unit, [this] { askUnits(); });
    menu->addSection(tr("Scope"));
    const QString subject = m_model.context().program();
    addChoices(
        menu, now.isOfAll,
        {{subject.isEmpty() ? tr("The compared runs") : tr("Runs of %1").arg(subject), false}, {tr("All samples of both sides"), true}},
        [this](bool isOfAll) { choose([isOfAll](DifferenceSettings& it) { it.isOfAll = isOfAll; }); });
    const auto kinds = m_model.kinds();
    if (kinds.size() < 2)
        return;
    menu->addSection(tr("Event"));
    for (const SampleKindFacts& it : kinds)
        addChoices(menu, now.kind.empty() ? kinds[0].kind.name : now.kind, {{QString::fromStdString(it.label()), it.kind.name}},
                   [this](const std::string& kind) { choose([&](DifferenceSettings& choices) { choices.kind = kind; }); });
}

/// Asks the user for the number of work units that each side processed, e.g. requests, frames or iterations.
void DifferenceGraphView::askUnits()
{
    QDialog dialog(this);
    dialog.setWindowTitle(tr("Per unit of work"));
    auto* form = new QFormLayout(&dialog);
    form->addRow(new QLabel(tr("How much work did each side do? Requests, frames, iterations: whatever you counted.\nTimes are then "
                               "per unit of work.")));
    const auto addField = [&](const QString& name, double value) {
        auto* field = new QDoubleSpinBox;
        field->setDecimals(3);
        field->setRange(0.001, 1e15);
        field->setValue(value);
        field->setMinimumWidth(160);
        field->selectAll();
        form->addRow(name, field);
        return field;
    };
    const DifferenceBasis& basis = m_model.choices().basis;
    const auto* a = addField(tr("Units of work in A"), basis.unitsA);
    const auto* b = addField(tr("Units of work in B"), basis.unitsB);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    form->addRow(buttons);
    if (dialog.exec() == QDialog::Accepted)
        choose([&](DifferenceSettings& it) { it.basis = {DifferenceSettings::Per::Unit, a->value(), b->value()}; });
}

void DifferenceGraphView::fillWidthMenu(QMenu* menu)
{
    using Of = DifferenceWidths::Of;
    addChoices(menu, m_look.widths.of, {{tr("Time in B"), Of::B}, {tr("Time in A"), Of::A}, {tr("Larger of both"), Of::Widest}},
               [this](Of of) { change([of](DifferenceGraphOptions& look) { look.widths.of = of; }); });
}

void DifferenceGraphView::fillColorMenu(QMenu* menu)
{
    // In an inverted graph, self and inclusive changes give the same colours, so the menu does not offer this choice.
    if (!m_model.choices().isInverted)
        addChoices(menu, m_look.ofTotals, {{tr("Self change"), false}, {tr("Inclusive change, with callees"), true}},
                   [this](bool ofTotals) { change([=](DifferenceGraphOptions& look) { look.ofTotals = ofTotals; }); });
    menu->addSection(tr("Steps by"));
    addChoices(menu, m_look.byRatio, {{tr("Difference"), false}, {tr("Ratio"), true}},
               [this](bool byRatio) { change([=](DifferenceGraphOptions& look) { look.byRatio = byRatio; }); });
}

void DifferenceGraphView::fillShapeMenu(QMenu* menu)
{
    addChoices(menu, std::pair(m_model.choices().isInverted, m_look.areRootsBelow),
               {{tr("Top-down (icicle): callees below their callers"), {false, false}},
                {tr("Flame: callees above their callers"), {false, true}},
                {tr("Inverted: callers below the sampled functions"), {true, false}}},
               [this](std::pair<bool, bool> shape) {
                   change([=](DifferenceGraphOptions& look) { look.areRootsBelow = shape.second; });
                   choose([=](DifferenceSettings& it) { it.isInverted = shape.first; });
               });
}

void DifferenceGraphView::fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place)
{
    const SampledFunction function = tree.functionOf(place.node);
    const bool isCode = function.code != CodeKind::Thread;
    menu.addAction(tr("Show annotated source of both sides"), this, [this, function] { m_model.openSource(function); })->setEnabled(isCode);
    menu.addAction(tr("Find in table"), this, [this, function] { m_model.chooseFunction(function); })->setEnabled(isCode);
    DifferenceFlame::fillFrameMenu(menu, tree, place);
}

void DifferenceGraphView::addExport(const QString& text, const QString& suggestion, const QString& filter,
                                    const std::function<bool(const QString& path)>& save)
{
    auto* action = new QAction(text, this);
    action->setEnabled(false);
    connect(action, &QAction::triggered, this, [this, text, suggestion, filter, save] {
        ViewContext& context = m_model.context().a();
        const QString path = context.askPath(tr("Save comparison"), suggestion, filter);
        if (!path.isEmpty() && style())
            context.say(savedText(path, save(path)));
    });
    m_exports << action;
}

void DifferenceGraphView::makeExports()
{
    addExport(tr("Save differential flame graph as SVG\u2026"), QStringLiteral("difference.svg"), tr("SVG image (*.svg)"),
              [this](const QString& path) { return saveSvg(path); });
    addExport(tr("Save differential flame graph as PNG\u2026"), QStringLiteral("difference.png"), tr("PNG image (*.png)"),
              [this](const QString& path) { return savePng(path); });
    addExport(
        tr("Save differential folded stacks\u2026"), QStringLiteral("difference.folded"), tr("Folded stacks (*.folded *.txt)"),
        [this](const QString& path) { return saveText(path, [&](const auto& write) { writeDifferentialFolded(*drawn().tree, write); }); });
    addExport(tr("Save functions of A and B as CSV\u2026"), QStringLiteral("functions.csv"), tr("Tables (*.csv)"),
              [this](const QString& path) {
                  DifferenceFunctions functions;
                  functions.setDifference(drawn());
                  const std::string text = functions.csv().toStdString();
                  return saveText(path, [&](const auto& write) { write(text); });
              });
}

bool DifferenceGraphView::savePng(const QString& path) const
{
    constexpr qreal Ratio = 2;
    const QImage frames = graph().image(std::max(600, graph().viewport()->width()), Ratio);
    const QSize size =
        (frames.size() / Ratio).grownBy({PictureHead::Margin, PictureHead::Height, PictureHead::Margin, PictureHead::Margin});
    QImage image(size * Ratio, QImage::Format_RGB32);
    if (image.isNull())
        return false;
    image.setDevicePixelRatio(Ratio);
    image.fill(theme().color("surface.panel"));
    QPainter painter(&image);
    PictureHead{style()->rootName(), basisText(drawn()), &style()->steps(), drawn().unit}.paint(painter, size.width());
    painter.drawImage(PictureHead::Margin, PictureHead::Height, frames);
    painter.end();
    return image.save(path);
}

bool DifferenceGraphView::saveSvg(const QString& path) const
{
    DifferenceSvgOptions options;
    options.picture.title = tr("Differential flame graph: %1").arg(style()->rootName()).toStdString();
    options.picture.subtitle = basisText(drawn()).toStdString();
    options.picture.isIcicle = !m_look.areRootsBelow;
    options.rootName = style()->rootName().toStdString();
    options.widths = m_look.widths;
    options.ofTotals = m_look.ofTotals || drawn().choices.isInverted;
    options.byRatio = m_look.byRatio;
    options.unit = drawn().unit;
    return saveText(path, [&](const auto& write) { writeDifferenceSvg(*drawn().graph, options, write); });
}

} // namespace helio
