#include "widgets/docks/durations/call_steps.h"

#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/docks/durations/hits_strip.h"
#include "widgets/theme/themes.h"
#include "widgets/workspace/view_context.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace helio {

CallSteps::CallSteps(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_showAll(new QPushButton)
    , m_previous(new QToolButton)
    , m_place(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_next(new QToolButton)
{
    m_showAll->setObjectName("show-all");
    m_showAll->setToolTip(tr("Zoom to show all of them"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 12, 6);
    row->setSpacing(10);
    row->addWidget(new HitsStrip(context), 1);
    for (QWidget* part : {static_cast<QWidget*>(m_showAll), static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_place),
                          static_cast<QWidget*>(m_next)})
        row->addWidget(part);
    for (const auto& [button, name, by] :
         {std::tuple(m_previous, tr("Previous call in this bar"), -1), std::tuple(m_next, tr("Next call in this bar"), 1)}) {
        button->setToolTip(name);
        button->setAccessibleName(name);
        button->setAutoRaise(true);
        button->setFixedSize(24, 24);
        connect(button, &QToolButton::clicked, this, [this, by = by] { step(by); });
    }
    connect(m_showAll, &QPushButton::clicked, this, &CallSteps::zoomToAll);
    connect(&Themes::instance(), &Themes::changed, this, &CallSteps::showIcons);
    showIcons();
    hide();
}

void CallSteps::showIcons()
{
    m_previous->setIcon(themedIcon("back"));
    m_next->setIcon(themedIcon("forward"));
    m_showAll->setIcon(themedIcon("zoom-in"));
}

void CallSteps::setCalls(std::shared_ptr<const ListedCalls> calls, std::optional<std::size_t> current)
{
    m_calls = std::move(calls);
    m_current = current;
    setVisible(m_calls != nullptr);
    if (!m_calls)
        return;
    const std::size_t count = m_calls->calls.size();
    m_showAll->setText(count == 1 ? tr("Show it") : tr("Show these %1").arg(countText(qint64(count))));
    m_place->setText(tr("%1 of %2").arg(current ? countText(qint64(*current + 1)) : QStringLiteral("\u2013"), countText(qint64(count))));
    m_previous->setEnabled(!current || *current > 0);
    m_next->setEnabled(!current || *current + 1 < count);
}

void CallSteps::step(int by)
{
    const auto count = std::ptrdiff_t(m_calls ? m_calls->calls.size() : 0);
    const std::ptrdiff_t next = m_current ? std::ptrdiff_t(*m_current) + by : by > 0 ? 0 : count - 1;
    if (next >= 0 && next < count)
        emit stepped(std::size_t(next));
}

void CallSteps::zoomToAll()
{
    if (!m_calls || m_calls->calls.empty())
        return;
    TimeRange all = m_calls->calls.front().range;
    for (const ListedCalls::Call& it : m_calls->calls)
        all.end = std::max(all.end, it.range.end);
    const Duration margin = lengthOf(all) / 20;
    m_context.time().jump({.visible = TimeRange{all.begin - margin, all.end + margin}});
}

} // namespace helio
