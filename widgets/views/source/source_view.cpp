#include "widgets/views/source/source_view.h"

#include "widgets/flame/flame_part.h"
#include "widgets/flame/frame_text.h"
#include "widgets/shell/pages.h"
#include "widgets/shell/pill.h"
#include "widgets/time/time_format.h"
#include "widgets/views/source/editor_command.h"
#include "widgets/views/source/source_paths_dialog.h"
#include "widgets/code/source_settings.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QProcess>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

SourceView::SourceView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_samples(SampleModel::of(context))
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
    m_panes->setChildrenCollapsible(true);
    m_panes->setSizes({1000, 1000});
    m_page->setInDock();
    m_stack->addWidget(m_page);
    m_stack->addWidget(m_panes);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_source);
    wire();
    showState();
}

void SourceView::makeHead()
{
    m_title = makeLabel({}, 12, 600, "text.primary");
    m_place = makeLabel({}, 11.5, 400, "text.secondary");
    m_problem = makeLabel({}, 11.5, 400, "severity.warning");
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_withCallees = new Pill(tr("With callees"));
    m_withCallees->setCheckable(true);
    m_withCallees->setToolTip(tr("Lines also count what was called from them"));
    m_editor = new Pill(tr("Open in editor"));
    m_editor->setToolTip(tr("The chosen line (double click, or Enter)"));
    m_paths = new Pill(tr("Paths\u2026"));
    m_paths->setToolTip(tr("Where sources lie, and what opens them"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(6);
    head->addWidget(m_title);
    head->addSpacing(4);
    head->addWidget(m_place);
    head->addStretch(1);
    for (Pill* pill : {m_withCallees, m_editor, m_paths})
        head->addWidget(pill);
    auto* layout = static_cast<QVBoxLayout*>(this->layout());
    layout->addLayout(head);
    layout->addWidget(m_problem);
}

void SourceView::wire()
{
    m_samples.serve(this);
    const auto again = [this] {
        m_isOld = true;
        if (isVisible())
            fetch();
    };
    connect(&m_samples, &SampleModel::shownChanged, this, again);
    connect(&m_samples, &SampleModel::functionChosen, this, again);
    connect(&m_samples, &SampleModel::sourceRequested, this, again);
    connect(m_withCallees, &QAbstractButton::toggled, this, [this](bool isOn) {
        m_choice.withCallees = isOn;
        fill();
    });
    connect(m_editor, &QAbstractButton::clicked, this, [this] { openEditor(m_source->currentRow()); });
    connect(m_paths, &QAbstractButton::clicked, this, &SourceView::editPaths);
    connect(m_page, &EmptyPage::buttonClicked, this, [this] { m_context.showView("flame_graph"); });
    connect(m_source, &CodePane::hovered, this, [this](int row) { light(*m_source, *m_code, row); });
    connect(m_code, &CodePane::hovered, this, [this](int row) { light(*m_code, *m_source, row); });
    connect(m_source, &CodePane::chosen, this, [this](int row) { follow(*m_source, *m_code, row); });
    connect(m_code, &CodePane::chosen, this, [this](int row) { follow(*m_code, *m_source, row); });
    connect(m_source, &CodePane::opened, this, &SourceView::openEditor);
}

void SourceView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    if (m_isOld)
        fetch();
}

void SourceView::fetch()
{
    const ShownSamples samples = m_samples.shown();
    const auto& function = m_samples.function();
    m_isOld = false;
    if (!samples.profile || !function || function->code == CodeKind::Thread) {
        m_job.cancel();
        return take(nullptr);
    }
    m_job.post([this, samples, function = *function, paths = savedSourcePaths()](std::stop_token stop) -> LatestJob::Delivery {
        auto shown = std::make_shared<Shown>();
        shown->annotation = annotate(*samples.profile, *samples.timeline, function, stop);
        for (const std::string& file : shown->annotation.files)
            shown->sources.push_back(readSource(file, paths));
        return [this, shown] { take(shown); };
    });
}

void SourceView::take(std::shared_ptr<const Shown> shown)
{
    const bool isSame = shown && m_shown && shown->annotation.function.name == m_shown->annotation.function.name
        && shown->annotation.function.module == m_shown->annotation.function.module && shown->sources.size() == m_shown->sources.size();
    m_shown = std::move(shown);
    fill();
    if (!m_shown || isSame)
        return;
    m_source->reveal(firstRow(m_source->rows()));
    m_code->reveal(firstRow(m_code->rows()));
}

void SourceView::fill()
{
    m_choice.by = m_samples.by();
    if (m_shown) {
        m_source->setRows(sourceRows(m_shown->annotation, m_shown->sources, m_choice));
        m_code->setRows(instructionRows(m_shown->annotation, m_choice), jumpsOf(m_shown->annotation));
        m_source->setVisible(!m_source->rows().empty());
    }
    showState();
}

const SourceText* SourceView::missing() const
{
    if (m_shown)
        for (const SourceText& source : m_shown->sources)
            if (source.file.empty())
                return &source;
    return nullptr;
}

void SourceView::showState()
{
    m_stack->setCurrentIndex(m_shown ? 1 : 0);
    m_title->setText(m_shown ? frameLabel(m_shown->annotation.function) : tr("Source"));
    m_editor->setEnabled(m_shown && !m_shown->sources.empty() && !m_shown->sources[0].file.empty());
    m_withCallees->setVisible(m_shown != nullptr);
    m_problem->clear();
    m_place->clear();
    if (!m_shown) {
        m_problem->hide();
        m_page->setText(tr("No function is chosen."), tr("Ctrl+click a frame of the flame graph, or double click a function."));
        return m_page->setButton(tr("Flame graph"));
    }
    const Annotation& it = m_shown->annotation;
    const QString file = it.files.empty() ? QString() : QFileInfo(QString::fromStdString(it.files[0])).fileName();
    const auto share = [&](const SampleSum& sum) { return shareText(amount(sum, m_choice.by), amount(it.whole, m_choice.by), 2); };
    m_place->setText(QStringList{file, QString::fromStdString(it.function.module),
                                 tr("%1 samples in itself, %2; with callees %3")
                                     .arg(countText(qint64(it.sums.self.samples)), share(it.sums.self), share(it.sums.total))}
                         .join(QStringLiteral("   ")));
    QStringList problems;
    if (const SourceText* source = missing())
        problems << tr("%1 was not found. \u201cPaths\u2026\u201d tells where it was looked for, and takes the right place.")
                        .arg(QString::fromStdString(source->recorded));
    if (!it.code.whyNoCode.empty() && it.code.whyNoCode == it.code.whyNoLines)
        problems << QString::fromStdString(it.code.whyNoCode);
    else if (!it.code.whyNoLines.empty() && it.files.empty())
        problems << tr("No source lines: %1").arg(QString::fromStdString(it.code.whyNoLines));
    if (!it.code.whyNoCode.empty() && it.code.whyNoCode != it.code.whyNoLines)
        problems << tr("No instructions: %1").arg(QString::fromStdString(it.code.whyNoCode));
    m_problem->setText(problems.join('\n'));
    m_problem->setVisible(!problems.isEmpty());
}

void SourceView::light(const CodePane& from, CodePane& other, int row)
{
    const int link = row < 0 ? CodeRow::NoLink : from.rows()[std::size_t(row)].link;
    other.setLitLink(link);
    const_cast<CodePane&>(from).setLitLink(link);
}

void SourceView::follow(const CodePane& from, CodePane& other, int row)
{
    const int link = from.rows()[std::size_t(row)].link;
    light(from, other, row);
    if (link == CodeRow::NoLink)
        return;
    const auto there = std::ranges::find(other.rows(), link, &CodeRow::link);
    if (there != other.rows().end())
        other.reveal(int(there - other.rows().begin()));
}

void SourceView::openEditor(int row)
{
    if (!m_shown || m_shown->sources.empty())
        return;
    const auto& rows = m_source->rows();
    if (row < 0 || row >= int(rows.size()))
        row = firstRow(rows);
    if (row >= int(rows.size()))
        return;
    const int link = rows[std::size_t(row)].link;
    const std::size_t index = link == CodeRow::NoLink ? 0 : m_shown->annotation.lines[std::size_t(link)].file;
    const QString file = QString::fromStdString(m_shown->sources[index].file.string());
    if (file.isEmpty())
        return editPaths();
    const QString terminal = QStandardPaths::findExecutable("x-terminal-emulator");
    const QStringList command = editorCommand(file, std::max(1, rows[std::size_t(row)].label.toInt()), savedEditor(), qEnvironmentVariable("VISUAL"),
                                              qEnvironmentVariable("EDITOR"), terminal);
    const bool isOpen = command.isEmpty() ? QDesktopServices::openUrl(QUrl::fromLocalFile(file))
                                          : QProcess::startDetached(command[0], command.mid(1));
    if (!isOpen)
        m_context.say(tr("%1 could not be opened").arg(file));
}

void SourceView::editPaths()
{
    const SourceText* source = missing();
    SourcePathsDialog dialog(m_context, source ? *source : SourceText(), this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    saveSourcePaths(dialog.paths());
    saveEditor(dialog.editor());
    fetch();
}

} // namespace helio
