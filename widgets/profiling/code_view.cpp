#include "widgets/profiling/code_view.h"

#include "widgets/code/source_settings.h"
#include "widgets/controls/folding_layout.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/pill.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/profiling/editor_command.h"
#include "widgets/profiling/source_paths_dialog.h"

#include <QFileInfo>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

CodeView::CodeView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
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
    m_panes->addWidget(m_source);
    m_panes->addWidget(m_code);
    m_panes->setHandleWidth(4);
    m_page->setInDock();
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_panes);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_source);
    wire();
}

void CodeView::makeHead()
{
    m_title = makeElidingLabel(120, 12, 600, "text.primary");
    m_place = makeElidingLabel(0, 11.5, 400, "text.secondary");
    m_problem = makeLabel({}, 11.5, 400, "severity.warning");
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_withCallees = new Pill(tr("With callees"));
    m_withCallees->setCheckable(true);
    m_withCallees->setToolTip(tr("Lines also count the functions called from them"));
    m_editor = new Pill(tr("Open in editor"));
    m_editor->setToolTip(tr("Open the selected line (or double-click it, or press Enter)"));
    m_paths = new Pill(tr("Paths\u2026"));
    m_paths->setToolTip(tr("Source paths and the editor that opens sources"));
    m_pills = new QHBoxLayout;
    m_pills->setSpacing(6);
    for (Pill* pill : {m_withCallees, m_editor, m_paths})
        m_pills->addWidget(pill);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(6);
    head->addWidget(m_title);
    head->addSpacing(4);
    head->addWidget(m_place);
    head->addStretch(1);
    head->addLayout(m_pills);
    auto* layout = static_cast<QVBoxLayout*>(this->layout());
    layout->addLayout(head);
    layout->addWidget(m_problem);
}

void CodeView::wire()
{
    connect(m_withCallees, &QAbstractButton::toggled, this, &CodeView::refresh);
    connect(m_withCallees, &QAbstractButton::clicked, this, [this](bool isOn) { m_wantsCallees = isOn; });
    connect(m_editor, &QAbstractButton::clicked, this, [this] { openEditor(m_source->currentRow()); });
    connect(m_paths, &QAbstractButton::clicked, this, &CodeView::editPaths);
    connect(m_source, &CodePane::opened, this, &CodeView::openEditor);
    for (const auto& [from, other] : {std::pair(m_source, m_code), std::pair(m_code, m_source)}) {
        connect(from, &CodePane::hovered, this, [this, from = from, other = other](int row) { light(*from, *other, row); });
        connect(from, &CodePane::chosen, this, [this, from = from, other = other](int row) { follow(*from, *other, row); });
    }
}

void CodeView::addPill(Pill* pill) { m_pills->insertWidget(m_pills->indexOf(m_editor), pill); }

void CodeView::setColumns(const std::vector<CodeColumn>& columns)
{
    for (CodePane* pane : {m_source, m_code})
        pane->setColumns(columns);
}

void CodeView::setWidths(int source, int instructions) { m_panes->setSizes({source, instructions}); }

void CodeView::setInstructionsShown(bool areShown)
{
    m_areInstructionsShown = areShown;
    showPanes();
}

bool CodeView::isWithCallees() const { return m_withCallees->isChecked(); }

std::vector<SourceText> CodeView::readSources(const std::vector<std::string>& files, const SourcePaths& paths)
{
    std::vector<SourceText> sources;
    for (const std::string& file : files)
        sources.push_back(readSource(file, paths));
    return sources;
}

void CodeView::ask()
{
    m_isOld = !isVisible();
    if (!m_isOld)
        fetch(savedSourcePaths());
}

void CodeView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    if (m_isOld)
        ask();
}

void CodeView::refresh()
{
    const Shown now = shown();
    if (now.code && keyOf(now.code->function) != m_function.first) {
        const CodeSums& sums = now.code->sums;
        // True if the function has samples in its callees only. Its callees must then be included, because otherwise no line would have a
        // number.
        const bool isCallerOnly = sums.self.samples == 0 && sums.total.samples > 0;
        const QSignalBlocker blocker(m_withCallees);
        m_withCallees->setChecked(m_wantsCallees || isCallerOnly);
    }
    Rows rows = now.code ? this->rows() : Rows();
    m_source->setRows(std::move(rows.lines));
    m_code->setRows(std::move(rows.instructions), std::move(rows.jumps));
    m_stack->setCurrentIndex(now.code ? 1 : 0);
    showHead();
    showPanes();
    if (!now.code) {
        m_function = {}; // Reset, so that the next code is scrolled to its hottest line even if the function is the same.
        return fillPage(*m_page);
    }
    const auto found = std::ranges::count_if(now.sources, [](const SourceText& source) { return !source.file.empty(); });
    // The number of found sources is part of the key, so that a source found later is also scrolled to its hottest line.
    const auto key = std::pair(keyOf(now.code->function), std::size_t(found));
    if (std::exchange(m_function, key) == key)
        return;
    QTimer::singleShot(0, this, [this] { // Delayed, because the panes get their sizes from the event loop.
        for (CodePane* pane : {m_source, m_code})
            pane->reveal(firstRow(pane->rows()));
    });
}

void CodeView::askAndReveal()
{
    m_function = {};
    ask();
}

void CodeView::showHead()
{
    const Shown now = shown();
    m_title->setText(now.code ? frameLabel(now.code->function) : tr("Source"));
    // Hidden for calls that were recorded without a position in the function: their lines have no counts.
    m_withCallees->setVisible(now.code && now.code->hasAddresses);
    m_editor->setEnabled(!now.sources.empty() && !now.sources[0].file.empty());
    m_place->clear();
    QStringList problems;
    if (now.code) {
        const auto& files = now.code->files;
        const QString file = files.empty() ? QString() : QFileInfo(QString::fromStdString(files[0])).fileName();
        m_place->setText(QStringList{file, QString::fromStdString(now.code->function.module), countsText()}.join(QStringLiteral("   ")));
        if (const SourceText* source = missing())
            problems << tr("%1 was not found. Use \u201cPaths\u2026\u201d to locate it.").arg(QString::fromStdString(source->recorded));
        problems << this->problems();
    }
    m_place->setToolTip(m_place->text());
    m_problem->setText(problems.join(u'\n'));
    m_problem->setVisible(!problems.isEmpty());
}

void CodeView::showPanes()
{
    const bool hasLines = !m_source->rows().empty();
    const bool hasCode = !m_code->rows().empty() && (m_areInstructionsShown || !hasLines);
    m_code->setVisible(hasCode);
    m_source->setVisible(hasLines || !hasCode);
}

const SourceText* CodeView::missing() const
{
    const auto sources = shown().sources;
    const auto found = std::ranges::find_if(sources, [](const SourceText& source) { return source.file.empty(); });
    return found == sources.end() ? nullptr : &*found;
}

void CodeView::light(CodePane& from, CodePane& other, int row)
{
    const int link = row < 0 ? CodeRow::NoLink : from.rows()[std::size_t(row)].link;
    from.setLitLink(link);
    other.setLitLink(link);
}

void CodeView::follow(CodePane& from, CodePane& other, int row)
{
    const int link = from.rows()[std::size_t(row)].link;
    light(from, other, row);
    if (link == CodeRow::NoLink)
        return;
    const auto there = std::ranges::find(other.rows(), link, &CodeRow::link);
    if (there != other.rows().end())
        other.reveal(int(there - other.rows().begin()));
}

void CodeView::openEditor(int row)
{
    const Shown now = shown();
    const auto& rows = m_source->rows();
    if (row < 0 || row >= int(rows.size()))
        row = firstRow(rows);
    if (!now.code || now.sources.empty() || row >= int(rows.size()))
        return;
    const int link = rows[std::size_t(row)].link;
    const std::size_t index = link == CodeRow::NoLink ? 0 : now.code->lines[std::size_t(link)].file;
    const QString file = QString::fromStdString(now.sources[index].file.string());
    if (file.isEmpty())
        return editPaths();
    if (!openInEditor(file, rows[std::size_t(row)].label.toInt()))
        m_context.say(tr("Cannot open %1").arg(file));
}

void CodeView::editPaths()
{
    const SourceText* source = missing();
    SourcePathsDialog dialog(m_context, source ? *source : SourceText(), this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    saveSourcePaths(dialog.paths());
    saveEditor(dialog.editor());
    ask();
}

} // namespace helio
