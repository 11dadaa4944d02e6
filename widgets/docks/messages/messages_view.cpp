#include "widgets/docks/messages/messages_view.h"

#include "core/profiling/samples/sample_messages.h"
#include "core/timesync/host_clocks.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/icons.h"
#include "widgets/controls/record_requests.h"
#include "widgets/theme/themes.h"
#include "widgets/workspace/analysis_list.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace helio {

namespace {

struct SeverityLook {
    const char* icon;
    const char* role;
    const char* word;
};

SeverityLook lookOf(Diagnostic::Severity severity)
{
    switch (severity) {
    case Diagnostic::Severity::Error: return {"error", "severity.error", "Error"};
    case Diagnostic::Severity::Warning: return {"warning", "severity.warning", "Warning"};
    default: return {"info", "severity.info", "Note"};
    }
}

/// Makes a label wrap to the width of the dock. Otherwise a long word would determine the label's minimum width, and all lines would be
/// wider than the dock.
void wrapInRoom(QLabel* label)
{
    label->setWordWrap(true);
    QSizePolicy policy = label->sizePolicy(); // Copies the current policy, to keep the height-for-width flag that setWordWrap() has set.
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    label->setSizePolicy(policy);
}

void empty(QVBoxLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

} // namespace

MessagesView::MessagesView(ViewContext& context, QWidget* parent)
    : ScrollPage(parent)
    , m_context(context)
    , m_samples(SampleModel::of(context))
{
    setAccessibleName(tr("Messages"));
    connect(&context, &ViewContext::timelineChanged, this, &MessagesView::fetch);
    connect(&m_samples, &SampleModel::shownChanged, this, &MessagesView::combine);
    connect(&AnalysisList::of(context), &AnalysisList::changed, this, &MessagesView::combine);
    connect(&context, &ViewContext::timeFormatChanged, this, [this] { show(m_shown); });
    connect(&Themes::instance(), &Themes::changed, this, [this] { show(m_shown); });
    combine();
}

void MessagesView::fetch()
{
    const auto timeline = m_context.timeline();
    if (!timeline) {
        m_job.cancel();
        m_ofTraces.clear();
        return combine();
    }
    m_job.post([this, timeline](std::stop_token) -> LatestTask::Delivery {
        auto found = messages(*timeline);
        std::ranges::move(clockMessages(*timeline), std::back_inserter(found));
        return [this, found = std::move(found)] {
            m_ofTraces = found;
            combine();
        };
    });
}

void MessagesView::combine()
{
    std::vector<Message> all = m_ofTraces;
    for (const AnalysisProblem& problem : AnalysisList::of(m_context).problems())
        all.push_back({problem.isWarning ? Diagnostic::Severity::Warning : Diagnostic::Severity::Error,
                       "analysis-file",
                       problem.text.toStdString(),
                       1,
                       {},
                       {}});
    if (const CollectedSamples& shown = m_samples.shown(); shown.profile && m_context.timeline())
        std::ranges::move(sampleMessages(shown.ends, shown.nameless, shown.profile->samples), std::back_inserter(all));
    if (const auto timeline = m_context.timeline())
        if (std::optional<Message> files = symbolFilesMessage(*timeline))
            all.push_back(std::move(*files));
    std::ranges::stable_sort(all, [](const Message& a, const Message& b) { return a.severity > b.severity; });
    if (all != m_shown || all.empty())
        show(all);
}

void MessagesView::show(const std::vector<Message>& messages)
{
    m_shown = messages;
    empty(content());
    for (const Message& message : m_shown)
        content()->addWidget(makeLine(message));
    if (m_shown.empty())
        content()->addWidget(
            makeLabel(m_context.timeline() ? tr("No problems in these traces.") : tr("No trace open."), 12, 400, "text.secondary"), 0,
            Qt::AlignHCenter);
    content()->addStretch(1);
    const auto count = [this](Diagnostic::Severity of) { return int(std::ranges::count(m_shown, of, &Message::severity)); };
    m_context.setWarnings(count(Diagnostic::Severity::Warning) + count(Diagnostic::Severity::Error), count(Diagnostic::Severity::Error));
}

QWidget* MessagesView::makeLine(const Message& message)
{
    const SeverityLook look = lookOf(message.severity);
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 6);
    layout->setSpacing(10);
    auto* icon = new QLabel;
    icon->setPixmap(iconPixmap(look.icon, theme().color(look.role), 15, devicePixelRatioF()));
    icon->setAccessibleName(tr(look.word));
    layout->addWidget(icon, 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(3);
    layout->addLayout(words, 1);
    QString text = QString::fromStdString(message.text);
    if (!message.places.empty())
        text += QStringLiteral(" ") + tr("First at %1.").arg(timeText(message.places.front().begin, m_context.timeFormat()));
    QLabel* what = makeLabel(text, 11.5, 400, "text.primary");
    wrapInRoom(what);
    what->setTextFormat(Qt::PlainText);
    what->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words->addWidget(what);
    QStringList links;
    if (message.places.size() == 1)
        links << linkText("next", tr("Show"));
    else if (!message.places.empty())
        links << linkText("first", tr("Show first")) << linkText("previous", tr("Previous")) << linkText("next", tr("Next"));
    if (!message.command.empty())
        links << linkText("copy", tr("Copy"));
    const QString preset = RecordRequests::presetFor(QString::fromStdString(message.command));
    if (!preset.isEmpty())
        links << linkText("record", tr("Record\u2026"));
    if (!message.command.empty()) {
        QLabel* command =
            makeLabel(QString::fromStdString(message.command).replace(u',', QStringLiteral(",\u200b")), 11, 400, "text.secondary");
        command->setFont(fonts().fixed(11));
        wrapInRoom(command);
        command->setTextFormat(Qt::PlainText);
        // The text cannot be selected, because a selection would include the inserted break characters. A link copies the command.
        command->setTextInteractionFlags(Qt::NoTextInteraction);
        words->addWidget(command);
    }
    if (!links.isEmpty()) {
        QLabel* link = makeLabel(links.join(QStringLiteral("&nbsp; ")), 11.5, 400, "text.link");
        link->setTextInteractionFlags(Qt::TextBrowserInteraction);
        words->addWidget(link);
        connect(link, &QLabel::linkActivated, this, [this, message, preset](const QString& reference) {
            if (reference == "record")
                return RecordRequests::instance().request(preset, this);
            if (reference == "copy")
                return copyText(QString::fromStdString(message.command));
            showPlace(message.places, reference);
        });
    }
    return line;
}

/// Goes to the first range of a message, or to the next or previous range relative to the cursor. Also shows the time around the range:
/// four times its duration, at least 1 µs, on each side.
void MessagesView::showPlace(const std::vector<TimeRange>& places, const QString& which)
{
    const Timestamp now = m_context.time().cursor();
    auto at = places.begin();
    if (which == "next" && places.size() > 1)
        at = std::ranges::upper_bound(places, now, {}, &TimeRange::begin);
    else if (which == "previous")
        at = std::ranges::lower_bound(places, now, {}, &TimeRange::begin);
    if (at == places.end() && which == "next")
        return m_context.say(tr("No later occurrence"));
    if (which == "previous" && at-- == places.begin())
        return m_context.say(tr("No earlier occurrence"));
    const Duration around = std::max(at->duration() * 4, Duration(1000));
    m_context.time().jump({.cursor = at->begin, .visible = TimeRange{at->begin - around, at->end + around}});
    if (places.size() > 1)
        m_context.say(tr("%1 of %2").arg(at - places.begin() + 1).arg(places.size()));
}

} // namespace helio
