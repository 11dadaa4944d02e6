#include "widgets/docks/inspector/rule_panel.h"

#include "widgets/controls/icons.h"
#include "widgets/theme/themes.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

QToolButton* makeButton(const QString& name)
{
    auto* button = new QToolButton;
    button->setFixedSize(22, 20);
    button->setToolTip(name);
    button->setAccessibleName(name);
    return button;
}

void setIcons(QToolButton* previous, QToolButton* next, QToolButton* clear)
{
    previous->setIcon(themedIcon("back"));
    next->setIcon(themedIcon("forward"));
    clear->setIcon(themedIcon("close"));
}

} // namespace

RulePanel::RulePanel(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_what(makeLabel({}, 12, 600, "text.primary"))
    , m_facts(new FieldGrid)
    , m_steps(new QWidget)
    , m_place(makeLabel({}, 11.5, 500, "text.primary"))
    , m_previous(makeButton(tr("Previous match")))
    , m_next(makeButton(tr("Next match")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_what->setWordWrap(true);
    m_what->setTextFormat(Qt::PlainText);
    layout->addWidget(m_what);
    layout->addWidget(m_facts);
    auto* line = new QHBoxLayout(m_steps);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    auto* clear = makeButton(tr("Remove the marks from the time axis"));
    line->addWidget(m_previous);
    line->addWidget(m_place);
    line->addWidget(m_next);
    line->addWidget(clear);
    line->addStretch(1);
    layout->addWidget(m_steps);
    connect(m_previous, &QToolButton::clicked, this, [this] { step(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(true); });
    connect(clear, &QToolButton::clicked, this, &RulePanel::cleared);
    connect(&context.time(), &TimeWindow::cursorChanged, this, &RulePanel::showPlace);
    connect(&Themes::instance(), &Themes::changed, this, [this, clear] { setIcons(m_previous, m_next, clear); });
    setIcons(m_previous, m_next, clear);
    setRule(nullptr);
}

void RulePanel::setRule(const RuleFacts* rule)
{
    m_fired = rule ? rule->fired : 0;
    m_times.reset();
    m_what->setText(rule ? QStringLiteral("%1 %2").arg(rule->element, rule->what) : tr("Click a counted line to see when it matched."));
    m_facts->setVisible(rule);
    m_steps->setVisible(rule && rule->fired > 0);
    if (!rule)
        return;
    m_facts->begin();
    m_facts->add(tr("Evaluated at"), rule->events == 1 ? tr("1 event") : tr("%1 events").arg(countText(qint64(rule->events))));
    m_facts->add(tr("Matched"),
                 rule->fired > 0        ? countText(qint64(rule->fired))
                     : rule->events > 0 ? tr("never: its conditions were not met, or it changed nothing")
                                        : tr("never: no such event occurred while the rule was active"));
    if (!rule->missing.isEmpty())
        m_facts->add(tr("Missing"), tr("%1: not in the events that it was evaluated at").arg(rule->missing.join(", ")));
    m_facts->end();
    showPlace();
}

void RulePanel::setTimes(std::shared_ptr<const std::vector<Timestamp>> times)
{
    m_times = std::move(times);
    showPlace();
}

/// Shows which match of the rule is at the cursor, e.g. "12 of 4 100". If the cursor is at no match, shows only the number of matches.
void RulePanel::showPlace()
{
    const bool isKnown = m_times && !m_times->empty();
    m_previous->setEnabled(isKnown);
    m_next->setEnabled(isKnown);
    if (!isKnown)
        return m_place->setText(m_times ? tr("no match times known") : tr("finding matches…"));
    const auto after = std::ranges::upper_bound(*m_times, m_context.time().cursor());
    const bool isAt = after != m_times->begin() && *(after - 1) == m_context.time().cursor();
    QString place = countText(qint64(m_fired));
    if (isAt)
        place = tr("%1 of %2").arg(countText(after - m_times->begin()), place);
    if (m_times->size() < m_fired)
        place += tr(", the first %1 are known").arg(countText(qint64(m_times->size())));
    m_place->setText(place);
}

void RulePanel::step(bool isForward)
{
    TimeWindow& time = m_context.time();
    auto at = isForward ? std::ranges::upper_bound(*m_times, time.cursor()) : std::ranges::lower_bound(*m_times, time.cursor());
    if (isForward ? at == m_times->end() : at == m_times->begin())
        return m_context.say(isForward ? tr("No later match") : tr("No earlier match"));
    if (!isForward)
        --at;
    time.step({.cursor = *at});
}

} // namespace helio
