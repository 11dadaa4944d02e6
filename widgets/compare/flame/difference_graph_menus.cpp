// Menus and exports of the differential flame graph.

#include "core/compare/tree_difference_svg.h"
#include "widgets/compare/flame/difference_graph_view.h"
#include "widgets/compare/flame/difference_picture.h"
#include "widgets/compare/flame/work_units_dialog.h"
#include "widgets/compare/functions/difference_functions_view.h"
#include "widgets/compare/functions/difference_table.h"
#include "widgets/controls/menus.h"
#include "widgets/flame/frame/flame_exporter.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

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
    const auto add = [&](const QString& text, Per per) {
        addExclusiveAction(menu, text, now.basis.per == per,
                           [this, per] { choose([per](DifferenceSettings& it) { it.basis.per = per; }); });
    };
    menu->addSection(tr("Amounts"));
    add(now.isOfAll ? tr("Time, or events") : tr("Time, or events, of one process"), Per::Run);
    add(tr("Share of all samples"), Per::Share);
    add(tr("Samples as counted"), Per::Samples);
    addExclusiveAction(menu, tr("Per unit of work\u2026"), now.basis.per == Per::Unit, [this] { askUnits(); });
    menu->addSection(tr("Of"));
    const QString subject = m_model.context().program();
    addExclusiveAction(menu, subject.isEmpty() ? tr("What is compared") : tr("The runs of %1").arg(subject), !now.isOfAll,
                       [this] { choose([](DifferenceSettings& it) { it.isOfAll = false; }); });
    addExclusiveAction(menu, tr("All samples of both sides"), now.isOfAll,
                       [this] { choose([](DifferenceSettings& it) { it.isOfAll = true; }); });
    const auto kinds = m_model.kinds();
    if (kinds.size() < 2)
        return;
    menu->addSection(tr("Samples of"));
    for (const SampleKindFacts& it : kinds)
        addExclusiveAction(menu, QString::fromStdString(it.label()), it.kind.name == (now.kind.empty() ? kinds[0].kind.name : now.kind),
                           [this, name = it.kind.name] { choose([&](DifferenceSettings& choices) { choices.kind = name; }); });
}

void DifferenceGraphView::askUnits()
{
    WorkUnitsDialog dialog(m_model.choices().basis.unitsA, m_model.choices().basis.unitsB, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    choose([&](DifferenceSettings& it) {
        it.basis.per = DifferenceSettings::Per::Unit;
        it.basis.unitsA = dialog.unitsA();
        it.basis.unitsB = dialog.unitsB();
    });
}

void DifferenceGraphView::fillWidthMenu(QMenu* menu)
{
    using Of = DifferenceWidths::Of;
    const std::pair<QString, Of> widths[] = {
        {tr("B: as wide as its time there"), Of::B}, {tr("A: as wide as its time there"), Of::A}, {tr("The widest of both"), Of::Widest}};
    for (const auto& [text, of] : widths)
        addExclusiveAction(menu, text, m_look.widths.of == of,
                           [this, of = of] { change([of](DifferenceGraphOptions& look) { look.widths.of = of; }); });
}

void DifferenceGraphView::fillColorMenu(QMenu* menu)
{
    const auto addBasis = [&](const QString& text, bool ofTotals) {
        addExclusiveAction(menu, text, m_look.ofTotals == ofTotals,
                           [this, ofTotals] { change([=](DifferenceGraphOptions& look) { look.ofTotals = ofTotals; }); });
    };
    if (!m_model.choices().isInverted) { // In an inverted graph both bases are the same.
        addBasis(tr("A frame's own change"), false);
        addBasis(tr("Inclusive: with all it called"), true);
    }
    menu->addSection(tr("In steps of"));
    const auto addSteps = [&](const QString& text, bool byRatio) {
        addExclusiveAction(menu, text, m_look.byRatio == byRatio,
                           [this, byRatio] { change([=](DifferenceGraphOptions& look) { look.byRatio = byRatio; }); });
    };
    addSteps(tr("Difference"), false);
    addSteps(tr("Ratio"), true);
}

void DifferenceGraphView::fillShapeMenu(QMenu* menu)
{
    const bool isInverted = m_model.choices().isInverted;
    const auto add = [&](const QString& text, bool inverted, bool areRootsBelow) {
        addExclusiveAction(menu, text, isInverted == inverted && m_look.areRootsBelow == areRootsBelow, [this, inverted, areRootsBelow] {
            change([=](DifferenceGraphOptions& look) { look.areRootsBelow = areRootsBelow; });
            choose([=](DifferenceSettings& it) { it.isInverted = inverted; });
        });
    };
    add(tr("Top-down (icicle): callees below their callers"), false, false);
    add(tr("Flame: callees above their callers"), false, true);
    add(tr("Inverted: callers below the sampled functions"), true, false);
}

void DifferenceGraphView::fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place)
{
    const SampledFunction function = tree.functionOf(place.node);
    const bool isCode = function.code != CodeKind::Thread;
    menu.addAction(tr("Annotated source of both sides"), this, [this, function] { m_model.openSource(function); })->setEnabled(isCode);
    menu.addAction(tr("Find it in the table"), this, [this, function] { m_model.chooseFunction(function); })->setEnabled(isCode);
    DifferenceFlame::fillFrameMenu(menu, tree, place);
}

void DifferenceGraphView::addExport(const QString& text, const QString& suggestion, const QString& filter,
                                    const std::function<bool(const QString& path)>& save)
{
    auto* action = new QAction(text, this);
    action->setEnabled(false);
    connect(action, &QAction::triggered, this, [this, text, suggestion, filter, save] {
        ViewContext& context = m_model.context().a();
        const QString path = context.askPath(tr("Save the comparison"), suggestion, filter);
        if (!path.isEmpty() && style())
            context.say(savedText(path, save(path)));
    });
    m_exports << action;
}

void DifferenceGraphView::makeExports()
{
    addExport(tr("Save differential flame graph as SVG\u2026"), QStringLiteral("difference.svg"), tr("SVG pictures (*.svg)"),
              [this](const QString& path) { return saveSvg(path); });
    addExport(tr("Save differential flame graph as PNG\u2026"), QStringLiteral("difference.png"), tr("Pictures (*.png)"),
              [this](const QString& path) { return savePng(path); });
    addExport(
        tr("Save differential folded stacks\u2026"), QStringLiteral("difference.folded"), tr("Folded stacks (*.folded *.txt)"),
        [this](const QString& path) { return saveText(path, [&](const auto& write) { writeDifferentialFolded(*drawn().tree, write); }); });
    addExport(tr("Save functions of A and B as csv\u2026"), QStringLiteral("functions.csv"), tr("Tables (*.csv)"),
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
