#include "app/gui/fleet/fleet_filter_bar.h"

#include "core/findings/occurrences.h"
#include "widgets/controls/expression_field.h"
#include "widgets/controls/pill.h"
#include "widgets/fleet/latency_shape.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QComboBox>
#include <QLineEdit>
#include <QVBoxLayout>

#include <array>
#include <chrono>
#include <utility>

namespace helio {

using fleet::FleetConditions;
using namespace std::chrono_literals;

namespace {

constexpr int FieldWidth = 470; ///< Largest width of the field, in pixels.

/// A choice of the combo box of times.
struct AgeChoice {
    const char* text;
    std::optional<Duration> age;
};
constexpr std::array<AgeChoice, 5> AgeChoices{{{QT_TRANSLATE_NOOP("FleetFilterBar", "Any time"), {}},
                                               {QT_TRANSLATE_NOOP("FleetFilterBar", "Newest hour"), Duration(1h)},
                                               {QT_TRANSLATE_NOOP("FleetFilterBar", "Newest 24 hours"), Duration(24h)},
                                               {QT_TRANSLATE_NOOP("FleetFilterBar", "Newest 7 days"), Duration(7 * 24h)},
                                               {QT_TRANSLATE_NOOP("FleetFilterBar", "Newest 30 days"), Duration(30 * 24h)}}};

} // namespace

FleetFilterBar::FleetFilterBar(FinderTitle titleOf, QWidget* parent)
    : PanelGround(parent)
    , m_titleOf(std::move(titleOf))
    , m_field(new ExpressionField(tr("Filter"), tr("web  or  workload == \"checkout\" && share >= 0.05")))
    , m_age(new QComboBox)
    , m_count(makeLabel({}, 11, 400, "text.secondary"))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2, 3, 8, 3);
    layout->addWidget(m_field);
    auto* const edit = m_field->findChild<QLineEdit*>();
    edit->setMaximumWidth(FieldWidth);
    edit->setToolTip(edit->toolTip() + QLatin1Char('\n')
                     + tr("Fields: host path finding finder share explained wakeup syscall block duration lost_events, and tags."));
    connect(m_field, &ExpressionField::submitted, this,
            [this](const QString& text) { change([&](FleetConditions& it) { it.expression = text.trimmed().toStdString(); }); });

    m_all = addSwitch(tr("All"), tr("Remove all conditions"), [this](bool) { emit changed({}); });
    m_withFindings = addSwitch(tr("With findings"), tr("List only traces with a finding"),
                               [this](bool isOn) { change([&](FleetConditions& it) { it.hasFindings = isOn; }); });
    m_newest = addSwitch(tr("Newest of each host"), tr("List only the newest trace of each host"),
                         [this](bool isOn) { change([&](FleetConditions& it) { it.isNewest = isOn; }); });
    m_finder = addChip([](FleetConditions& it) { it.finder.clear(); });
    m_host = addChip([](FleetConditions& it) { it.host.clear(); });
    m_latency = addChip([](FleetConditions& it) { it.latency.reset(); });
    for (const AgeChoice& it : AgeChoices)
        m_age->addItem(tr(it.text));
    m_age->setToolTip(tr("Time of recording, counted back from the newest trace"));
    m_age->setAccessibleName(tr("Time of recording"));
    connect(m_age, &QComboBox::activated, this,
            [this](int i) { change([&](FleetConditions& it) { it.age = AgeChoices[std::size_t(i)].age; }); });
    m_field->addWidget(m_age);
    auto* gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_field->addWidget(gap);
    m_field->addWidget(m_count);
    setConditions({});
}

Pill* FleetFilterBar::addSwitch(const QString& text, const QString& tip, const std::function<void(bool)>& set)
{
    auto* pill = new Pill(text);
    pill->setCheckable(true);
    pill->setToolTip(tip);
    connect(pill, &Pill::clicked, this, [this, set](bool isOn) {
        set(isOn);
        setConditions(m_conditions); // Without a change, the pill keeps its state.
    });
    m_field->addWidget(pill);
    return pill;
}

Pill* FleetFilterBar::addChip(const std::function<void(FleetConditions&)>& remove)
{
    auto* chip = new Pill({});
    chip->setRemovable(true);
    chip->setToolTip(tr("Remove this condition"));
    chip->hide();
    connect(chip, &Pill::clicked, this, [this, remove] { change(remove); });
    m_field->addWidget(chip);
    return chip;
}

void FleetFilterBar::change(const std::function<void(FleetConditions&)>& how)
{
    FleetConditions conditions = m_conditions;
    how(conditions);
    if (conditions != m_conditions)
        emit changed(conditions);
}

void FleetFilterBar::setConditions(const FleetConditions& conditions)
{
    m_conditions = conditions;
    if (m_field->text().trimmed().toStdString() != conditions.expression)
        m_field->setText(text(conditions.expression));
    m_all->setChecked(conditions == FleetConditions());
    m_withFindings->setChecked(conditions.hasFindings);
    m_newest->setChecked(conditions.isNewest);
    const auto show = [](Pill* chip, bool isShown, const QString& words) {
        chip->setText(words.left(60));
        chip->setVisible(isShown);
    };
    show(m_finder, !conditions.finder.empty(), conditions.finder.empty() ? QString() : m_titleOf(conditions.finder));
    show(m_host, !conditions.host.empty(), text(conditions.host));
    show(m_latency, conditions.latency.has_value(),
         conditions.latency ? QStringLiteral("%1 \u2265 %2").arg(titleOf(conditions.latencyKind), text(shortDuration(*conditions.latency)))
                            : QString());
    for (std::size_t i = 0; i < AgeChoices.size(); ++i)
        if (AgeChoices[i].age == conditions.age)
            m_age->setCurrentIndex(int(i));
}

void FleetFilterBar::setCount(std::size_t listed, std::size_t all)
{
    m_count->setText(tr("%1 of %2 traces").arg(countText(qint64(listed)), countText(qint64(all))));
}

void FleetFilterBar::setProblem(const QString& problem) { m_field->setProblem(problem); }

void FleetFilterBar::focusField() { m_field->focus(); }

} // namespace helio
