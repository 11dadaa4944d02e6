#include "widgets/docks/details/machine_card.h"

#include "widgets/controls/field_grid.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QVBoxLayout>

namespace helio {

namespace {

constexpr int MachineDelay = 15; ///< Delay in ms between a change and the query.

QString knownText(const std::string& method, bool isGiven)
{
    return isGiven ? MachineCard::tr("set by hand") : method.empty() ? MachineCard::tr("unknown") : text(method);
}

} // namespace

MachineCard::MachineCard(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_title(makeLabel({}, 14, 600, "text.primary"))
    , m_problems(makeLabel({}, 11.5, 400, "text.primary"))
    , m_fields(new FieldGrid)
    , m_answer(DebouncedQuery::Pace::Debounce, MachineDelay, [this] { fetch(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 14);
    layout->setSpacing(8);
    for (QWidget* part : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(new HorizontalRule), static_cast<QWidget*>(m_fields),
                          static_cast<QWidget*>(m_problems)})
        layout->addWidget(part);
    m_title->setTextFormat(Qt::PlainText);
    m_problems->setTextFormat(Qt::PlainText);
    m_problems->setWordWrap(true);
    m_problems->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(&context.time(), &TimeWindow::rowChanged, &m_answer, &DebouncedQuery::now);
    connect(&context, &ViewContext::timelineChanged, &m_answer, &DebouncedQuery::soon);
    connect(m_fields, &FieldGrid::linkActivated, this, [this](const QString& number) {
        if (!m_facts || number.toULongLong() >= m_facts->vcpus.size())
            return;
        m_context.time().jump({.row = TrackRef(m_facts->vcpus[number.toULongLong()].row)}); // Copied, because jump() replaces m_facts.
    });
    setVisible(false);
    m_answer.now();
}

void MachineCard::fetch()
{
    const auto timeline = m_context.timeline();
    const TrackRef row = m_context.time().row();
    if (!timeline || !row.isValid()) {
        m_answer.cancel();
        return take({});
    }
    if (parentWidget() && !parentWidget()->isVisible())
        return;
    m_answer.post([this, timeline, row](std::stop_token stop) -> LatestTask::Delivery {
        auto facts = machineFacts(*timeline, row, stop);
        if (stop.stop_requested())
            return {};
        return [this, facts = std::move(facts)] { take(facts); };
    });
}

void MachineCard::take(std::optional<VirtualMachineFacts> facts)
{
    m_facts = std::move(facts);
    setVisible(m_facts.has_value());
    showFacts();
    emit changed();
}

void MachineCard::showFacts()
{
    if (!m_facts)
        return;
    m_title->setText(text(m_facts->name));
    m_fields->begin();
    m_fields->add(tr("Row"), tr("Virtual machine"));
    m_fields->add(tr("Guest"), m_facts->guest.empty() ? tr("unknown") : text(m_facts->guest));
    m_fields->add(tr("Runs on"), m_facts->host.empty() ? tr("an unknown host") : text(m_facts->host));
    if (!m_facts->process.empty())
        m_fields->add(tr("Process"), text(m_facts->process));
    m_fields->add(tr("Identified by"), knownText(m_facts->method, m_facts->isGiven));
    for (std::size_t i = 0; i < m_facts->vcpus.size(); ++i) {
        const VirtualMachineFacts::Vcpu& it = m_facts->vcpus[i];
        const QString thread = it.thread.empty() ? text(it.method) : tr("%1: %2").arg(text(it.thread), text(it.method));
        m_fields->add(tr("vCPU %1").arg(it.number), thread, 0, it.row.isValid() ? QString::number(i) : QString());
    }
    m_fields->end();
    QStringList problems;
    for (const std::string& it : m_facts->checks)
        problems << tr("As expected: %1.").arg(text(it));
    for (const std::string& it : m_facts->problems)
        problems << text(it) + QLatin1Char('.');
    m_problems->setText(problems.join(QLatin1Char('\n')));
    m_problems->setVisible(!problems.isEmpty());
}

} // namespace helio
