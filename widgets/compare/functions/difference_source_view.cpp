#include "widgets/compare/functions/difference_source_view.h"

#include "widgets/compare/difference/difference_style.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/time/qt_text.h"

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int LeastForBoth = 900; ///< Minimum width in pixels for lines and instructions side by side.

/// Returns the reasons why instructions cannot be compared. Leaves out a reason that is already shown for missing source lines.
QStringList missingCode(const AnnotationDifference& it)
{
    const auto& [a, b] = it.noCodeReason;
    if (a.empty() && b.empty())
        return it.addresses.empty()
            ? QStringList(DifferenceSourceView::tr("A and B ran different instructions, so only source lines are compared."))
            : QStringList();
    const std::string said = it.code.files.empty() ? it.code.code.noLinesReason : std::string();
    QStringList missing;
    if (a == b && a != said)
        missing << DifferenceSourceView::tr("No instructions: %1").arg(text(withoutPlaces(a)));
    if (a != b && !a.empty() && a != said)
        missing << DifferenceSourceView::tr("A's instructions are not available: %1").arg(text(withoutPlaces(a)));
    if (a != b && !b.empty() && b != said)
        missing << DifferenceSourceView::tr("B's instructions are not available: %1").arg(text(withoutPlaces(b)));
    return missing;
}

double partOf(double amount, double whole) { return whole > 0 ? amount / whole : 0; }

} // namespace

DifferenceSourceView::DifferenceSourceView(DifferenceModel& model, QWidget* parent)
    : CodeView(model.context().a(), parent)
    , m_model(model)
    , m_instructions(new Pill(tr("Instructions")))
{
    setColumns({{tr("A"), "compare.a.text", 66}, {tr("B"), "compare.b.text", 66}, {tr("B \u2212 A"), "text.secondary", 92}});
    setWidths(1100, 900);
    m_instructions->setCheckable(true);
    m_instructions->setToolTip(tr("Show instructions beside the source lines, where A and B ran the same"));
    addPill(m_instructions);
    model.serve(this);
    connect(&model, &DifferenceModel::shownChanged, this, &DifferenceSourceView::ask);
    connect(&model, &DifferenceModel::functionChosen, this, &DifferenceSourceView::ask);
    connect(m_instructions, &QAbstractButton::clicked, this, [this] { m_isChosenByHand = true; });
    connect(m_instructions, &QAbstractButton::toggled, this, &DifferenceSourceView::setInstructionsShown);
    setInstructionsShown(false);
    refresh();
    m_instructions->hide();
}

void DifferenceSourceView::fetch(const SourcePaths& paths)
{
    const DifferenceResult& shown = m_model.shown();
    const auto& function = m_model.function();
    if (!shown.tree || !function || function->code == CodeKind::Thread) {
        m_job.cancel();
        return take(nullptr);
    }
    m_job.post([this, sides = shown.sides, scale = shown.tree->scale, unit = shown.unit, function = *function,
                paths](std::stop_token stop) -> LatestTask::Delivery {
        std::array<Annotation, 2> annotations;
        for (std::size_t i = 0; i < sides.size(); ++i)
            if (const SampledFunction* own = findSameFunction(sides[i].names->functions, function))
                annotations[i] = annotate(*sides[i].profile, *sides[i].names, *sides[i].timeline, *own, stop);
        auto code = std::make_shared<Code>();
        code->difference = compareAnnotations(annotations[0], annotations[1]);
        // If the selected function is from an earlier comparison, neither side has it, and the result names no function. The function is
        // therefore set explicitly.
        code->difference.code.function = function;
        code->scale = scale;
        code->unit = unit;
        code->sources = readSources(code->difference.code.files, paths);
        code->colours = tokenizeSources(code->sources, code->difference.code.files);
        return [this, code] { take(code); };
    });
}

void DifferenceSourceView::take(std::shared_ptr<const Code> code)
{
    m_shown = std::move(code);
    refresh();
    m_instructions->setVisible(!instructions().rows().empty());
}

CodeView::Shown DifferenceSourceView::shown() const { return m_shown ? Shown{&m_shown->difference.code, m_shown->sources} : Shown(); }

std::vector<CodeCell> DifferenceSourceView::cellsOf(const ComparedCode& code, const DifferenceSteps& steps) const
{
    const ComparedSum& sum = sumOf(code);
    if (sum.a.samples == 0 && sum.b.samples == 0)
        return {};
    const ComparedSum& whole = isWithCallees() ? m_shown->difference.sums.total : m_shown->difference.taken;
    const DifferenceScale& scale = m_shown->scale;
    const auto share = [](double part, double of) {
        return CodeCell{part > 0 ? QString::number(100 * partOf(part, of), 'f', 2) + QStringLiteral("\u00a0%") : QString(), {}, false};
    };
    const int step = steps.stepOf(sum, scale);
    return {share(sum.scaledA(scale), whole.scaledA(scale)), share(sum.scaledB(scale), whole.scaledB(scale)),
            CodeCell{text(differenceText(sum.difference(scale), m_shown->unit)), step ? DifferenceStyle::roleName(step) : QString(),
                     step == 0}};
}

/// Fills `rows`. The heat of a line is that of its larger share in A or B.
void DifferenceSourceView::fillRows(std::vector<CodeRow>& rows, const std::vector<ComparedCode>& code, bool byLink) const
{
    const DifferenceScale& scale = m_shown->scale;
    double largest = 0;
    for (const ComparedCode& it : code)
        if (std::abs(sumOf(it).z(scale)) >= NoiseZ)
            largest = std::max(largest, std::abs(sumOf(it).difference(scale)));
    const DifferenceSteps steps = DifferenceSteps::upTo(largest);
    const ComparedSum& whole = isWithCallees() ? m_shown->difference.sums.total : m_shown->difference.taken;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int index = byLink ? rows[i].link : int(i);
        if (rows[i].isHeading || index < 0 || index >= int(code.size()))
            continue;
        const ComparedSum& sum = sumOf(code[std::size_t(index)]);
        rows[i].cells = cellsOf(code[std::size_t(index)], steps);
        rows[i].share = std::max(partOf(sum.scaledA(scale), whole.scaledA(scale)), partOf(sum.scaledB(scale), whole.scaledB(scale)));
        rows[i].shareText = rows[i].cells.empty() ? QString() : rows[i].cells[0].text + u' ' + rows[i].cells[1].text;
    }
}

CodeView::Rows DifferenceSourceView::rows() const
{
    const AnnotationDifference& difference = m_shown->difference;
    const ShareBasis choice{isWithCallees(), m_shown->scale.by};
    Rows rows;
    rows.lines = sourceRows(difference.code, m_shown->sources, m_shown->colours, choice);
    fillRows(rows.lines, difference.lines, true);
    if (difference.addresses.empty())
        return rows;
    rows.instructions = instructionRows(difference.code, choice);
    fillRows(rows.instructions, difference.addresses, false);
    rows.jumps = findJumps(difference.code);
    return rows;
}

void DifferenceSourceView::resizeEvent(QResizeEvent* event)
{
    CodeView::resizeEvent(event);
    if (!m_isChosenByHand)
        m_instructions->setChecked(width() >= LeastForBoth);
}

QString DifferenceSourceView::countsText() const
{
    const ComparedSum& sum = sumOf(m_shown->difference.sums);
    return tr("%1 in A, %2 in B: %3, %4")
        .arg(text(amountText(sum.scaledA(m_shown->scale), m_shown->unit)), text(amountText(sum.scaledB(m_shown->scale), m_shown->unit)),
             text(differenceText(sum.difference(m_shown->scale), m_shown->unit)), text(certaintyText(sum.z(m_shown->scale))));
}

QStringList DifferenceSourceView::problems() const
{
    const AnnotationDifference& it = m_shown->difference;
    QStringList problems;
    if (!it.code.code.noLinesReason.empty() && it.code.files.empty())
        problems << tr("No source lines: %1").arg(text(withoutPlaces(it.code.code.noLinesReason)));
    return problems << missingCode(it);
}

void DifferenceSourceView::fillPage(EmptyPage& page) const
{
    const DifferenceResult& shown = m_model.shown();
    if (shown.tree)
        page.setText(tr("No function is selected."), tr("Select one in the differential flame graph or in its table."));
    else
        page.setText(shown.missing, shown.advice);
}

} // namespace helio
