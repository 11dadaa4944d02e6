#include "widgets/compare/difference_source_view.h"

#include "widgets/code/source_settings.h"
#include "widgets/compare/difference_dress.h"
#include "widgets/flame/frame_text.h"
#include "widgets/shell/pages.h"
#include "widgets/shell/pill.h"

#include <QFileInfo>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int LeastForBoth = 900; ///< Pixels: lines and instructions beside each other.

QString words(const std::string& text) { return QString::fromStdString(text); }

/// The same function in the terms of a side's own modules; null: it was not sampled there.
const SampledFunction* sameFunction(const ComparedSide& side, const SampledFunction& function)
{
    const auto isSame = [&](const SampledFunction& it) {
        return it.name == function.name && it.module == function.module && it.code == function.code;
    };
    const auto found = std::ranges::find_if(side.names->functions, isSame);
    return found == side.names->functions.end() ? nullptr : &*found;
}

/// Why instructions do not compare, but for what is said of the lines already.
QStringList missingCode(const AnnotationDifference& it)
{
    const auto& [a, b] = it.whyNoCode;
    if (a.empty() && b.empty())
        return it.addresses.empty() ? QStringList(DifferenceSourceView::tr("A and B ran different instructions: only source lines compare."))
                                    : QStringList();
    const std::string said = it.code.files.empty() ? it.code.code.whyNoLines : std::string();
    QStringList missing;
    if (a == b && a != said)
        missing << DifferenceSourceView::tr("No instructions: %1").arg(words(a));
    if (a != b && !a.empty() && a != said)
        missing << DifferenceSourceView::tr("A's instructions are not here: %1").arg(words(a));
    if (a != b && !b.empty() && b != said)
        missing << DifferenceSourceView::tr("B's instructions are not here: %1").arg(words(b));
    return missing;
}

double partOf(double amount, double whole) { return whole > 0 ? amount / whole : 0; }

} // namespace

DifferenceSourceView::DifferenceSourceView(DifferenceModel& model, QWidget* parent)
    : PanelGround(parent)
    , m_model(model)
    , m_stack(new QStackedWidget)
    , m_page(new EmptyPage)
    , m_panes(new QSplitter(Qt::Horizontal))
    , m_source(new CodePane(tr("Source")))
    , m_code(new CodePane(tr("Instructions")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(6);
    makeHead();
    const std::vector<CodeColumn> columns{
        {tr("A"), "compare.a.text", 66}, {tr("B"), "compare.b.text", 66}, {tr("B \u2212 A"), "text.secondary", 92}};
    for (CodePane* pane : {m_source, m_code}) {
        pane->setColumns(columns);
        m_panes->addWidget(pane);
    }
    m_panes->setHandleWidth(4);
    m_panes->setSizes({1100, 900});
    m_page->setInDock();
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_panes);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_source);
    wire();
    showState();
}

void DifferenceSourceView::makeHead()
{
    m_title = makeLabel({}, 12, 600, "text.primary");
    m_place = makeLabel({}, 11.5, 400, "text.secondary");
    m_problem = makeLabel({}, 11.5, 400, "severity.warning");
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_withCallees = new Pill(tr("With callees"));
    m_withCallees->setCheckable(true);
    m_withCallees->setToolTip(tr("Lines also count what was called from them"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(6);
    head->addWidget(m_title);
    head->addSpacing(4);
    head->addWidget(m_place);
    head->addStretch(1);
    m_instructions = new Pill(tr("Instructions"));
    m_instructions->setCheckable(true);
    m_instructions->setToolTip(tr("Beside the source lines, where A and B ran the same"));
    head->addWidget(m_withCallees);
    head->addWidget(m_instructions);
    auto* layout = static_cast<QVBoxLayout*>(this->layout());
    layout->addLayout(head);
    layout->addWidget(m_problem);
}

void DifferenceSourceView::wire()
{
    m_model.serve(this);
    const auto again = [this] {
        m_isOld = true;
        if (isVisible())
            fetch();
    };
    connect(&m_model, &DifferenceModel::shownChanged, this, again);
    connect(&m_model, &DifferenceModel::functionChosen, this, again);
    connect(m_withCallees, &QAbstractButton::toggled, this, [this](bool isOn) {
        m_withCalleesOn = isOn;
        fill();
    });
    connect(m_instructions, &QAbstractButton::clicked, this, [this] { m_isChosenByHand = true; });
    connect(m_instructions, &QAbstractButton::toggled, this, &DifferenceSourceView::showInstructions);
    const auto light = [](const CodePane& from, CodePane& other, int row) {
        const int link = row < 0 ? CodeRow::NoLink : from.rows()[std::size_t(row)].link;
        other.setLitLink(link);
        const_cast<CodePane&>(from).setLitLink(link);
    };
    connect(m_source, &CodePane::hovered, this, [this, light](int row) { light(*m_source, *m_code, row); });
    connect(m_code, &CodePane::hovered, this, [this, light](int row) { light(*m_code, *m_source, row); });
    connect(m_source, &CodePane::chosen, this, [this](int row) { follow(*m_source, *m_code, row); });
    connect(m_code, &CodePane::chosen, this, [this](int row) { follow(*m_code, *m_source, row); });
}

void DifferenceSourceView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    if (m_isOld)
        fetch();
}

void DifferenceSourceView::fetch()
{
    const ShownDifference& shown = m_model.shown();
    const auto& function = m_model.function();
    m_isOld = false;
    if (!shown.tree || !function || function->code == CodeKind::Thread) {
        m_job.cancel();
        return take(nullptr);
    }
    m_job.post([this, sides = shown.sides, scale = shown.tree->scale, unit = shown.unit, function = *function,
                paths = savedSourcePaths()](std::stop_token stop) -> LatestJob::Delivery {
        std::array<Annotation, 2> annotations;
        for (std::size_t i = 0; i < sides.size(); ++i)
            if (const SampledFunction* own = sameFunction(sides[i], function))
                annotations[i] = annotate(*sides[i].profile, *sides[i].timeline, *own, stop);
        auto result = std::make_shared<Shown>();
        result->difference = compareAnnotations(annotations[0], annotations[1]);
        result->scale = scale;
        result->unit = unit;
        for (const std::string& file : result->difference.code.files)
            result->sources.push_back(readSource(file, paths));
        return [this, result] { take(result); };
    });
}

void DifferenceSourceView::take(std::shared_ptr<const Shown> shown)
{
    m_shown = std::move(shown);
    fill();
}

std::vector<CodeCell> DifferenceSourceView::cellsOf(const ComparedCode& code, const DifferenceSteps& steps) const
{
    const ComparedSum& sum = sumOf(code);
    if (sum.a.samples == 0 && sum.b.samples == 0)
        return {};
    const ComparedSum& whole = sumOf(m_shown->difference.sums);
    const DifferenceScale& scale = m_shown->scale;
    const auto share = [](double part, double of) {
        return CodeCell{part > 0 ? QString::number(100 * partOf(part, of), 'f', 2) + QStringLiteral("\u00a0%") : QString(), {}, false};
    };
    const int step = steps.stepOf(sum, scale);
    return {share(sum.scaledA(scale), whole.scaledA(scale)), share(sum.scaledB(scale), whole.scaledB(scale)),
            CodeCell{words(differenceText(sum.difference(scale), m_shown->unit)), step ? DifferenceDress::roleName(step) : QString(),
                     step == 0}};
}

/// Heat by the larger share of both sides.
void DifferenceSourceView::fillRows(std::vector<CodeRow>& rows, const std::vector<ComparedCode>& code, bool byLink) const
{
    const DifferenceScale& scale = m_shown->scale;
    double largest = 0;
    for (const ComparedCode& it : code)
        if (std::abs(sumOf(it).z(scale)) >= NoiseZ)
            largest = std::max(largest, std::abs(sumOf(it).difference(scale)));
    const DifferenceSteps steps = DifferenceSteps::upTo(largest);
    const ComparedSum& whole = sumOf(m_shown->difference.sums);
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

void DifferenceSourceView::fill()
{
    if (!m_shown) {
        m_source->setRows({});
        m_code->setRows({});
        return showState();
    }
    const AnnotationDifference& difference = m_shown->difference;
    const ShareChoice choice{m_withCalleesOn, m_shown->scale.by};
    std::vector<CodeRow> lines = sourceRows(difference.code, m_shown->sources, choice);
    fillRows(lines, difference.lines, true);
    std::vector<CodeRow> instructions;
    if (!difference.addresses.empty()) {
        instructions = instructionRows(difference.code, choice);
        fillRows(instructions, difference.addresses, false);
    }
    const int first = firstRow(lines);
    const int firstCode = firstRow(instructions);
    m_source->setRows(std::move(lines));
    m_code->setRows(std::move(instructions), difference.addresses.empty() ? std::vector<CodeJump>() : jumpsOf(difference.code));
    showState();
    QTimer::singleShot(0, this, [this, first, firstCode] { // When the panes have their sizes.
        m_source->reveal(first);
        m_code->reveal(firstCode);
    });
}

void DifferenceSourceView::resizeEvent(QResizeEvent* event)
{
    PanelGround::resizeEvent(event);
    if (!m_isChosenByHand)
        m_instructions->setChecked(width() >= LeastForBoth);
}

/// Always where there are no source lines.
void DifferenceSourceView::showInstructions()
{
    m_code->setVisible(!m_code->rows().empty() && (m_instructions->isChecked() || m_source->rows().empty()));
}

void DifferenceSourceView::showState()
{
    showInstructions();
    m_instructions->setVisible(m_shown && !m_code->rows().empty());
    const ShownDifference& shown = m_model.shown();
    m_stack->setCurrentIndex(m_shown ? 1 : 0);
    m_withCallees->setVisible(m_shown != nullptr);
    m_problem->setVisible(false);
    if (!m_shown) {
        m_title->clear();
        m_place->clear();
        return shown.tree
            ? m_page->setText(tr("No function is chosen."), tr("Choose one in the differential flame graph, or in its table."))
            : m_page->setText(shown.missing, shown.advice);
    }
    const AnnotationDifference& it = m_shown->difference;
    const ComparedSum& sum = sumOf(it.sums);
    const QString file = it.code.files.empty() ? QString() : QFileInfo(words(it.code.files[0])).fileName();
    m_title->setText(m_model.function() ? frameLabel(*m_model.function()) : QString());
    m_place->setText(QStringList{file, words(it.code.function.module),
                                 tr("%1 in A, %2 in B: %3, %4")
                                     .arg(words(amountText(sum.scaledA(m_shown->scale), m_shown->unit)),
                                          words(amountText(sum.scaledB(m_shown->scale), m_shown->unit)),
                                          words(differenceText(sum.difference(m_shown->scale), m_shown->unit)),
                                          words(certaintyText(sum.z(m_shown->scale))))}
                         .join(QStringLiteral("   ")));
    QStringList problems;
    const auto missing = std::ranges::find_if(m_shown->sources, [](const SourceText& source) { return source.file.empty(); });
    if (missing != m_shown->sources.end())
        problems << tr("%1 was not found. The Source dock of a single recording maps its path.").arg(words(missing->recorded));
    if (!it.code.code.whyNoLines.empty() && it.code.files.empty())
        problems << tr("No source lines: %1").arg(words(it.code.code.whyNoLines));
    problems << missingCode(it);
    m_problem->setText(problems.join(u'\n'));
    m_problem->setVisible(!problems.isEmpty());
}

void DifferenceSourceView::follow(const CodePane& from, CodePane& other, int row)
{
    const int link = from.rows()[std::size_t(row)].link;
    if (link == CodeRow::NoLink)
        return;
    const auto there = std::ranges::find(other.rows(), link, &CodeRow::link);
    if (there != other.rows().end())
        other.reveal(int(there - other.rows().begin()));
}

} // namespace helio
