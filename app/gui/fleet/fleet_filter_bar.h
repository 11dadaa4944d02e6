#pragma once

#include "core/fleet/fleet_filter.h"
#include "widgets/controls/field_grid.h"

#include <QWidget>

#include <functional>

class QComboBox;
class QLabel;

namespace helio {

class ExpressionField;
class Pill;

/// The conditions of the table of a fleet: an expression, switches, a time, and chips for what the user clicked in the head.
/// Threads: UI thread.
class FleetFilterBar : public PanelGround {
    Q_OBJECT

public:
    using FinderTitle = std::function<QString(const std::string& finder)>;
    /// `titleOf`: returns the title of a finder from its id.
    explicit FleetFilterBar(FinderTitle titleOf, QWidget* parent = nullptr);

    void setConditions(const fleet::FleetConditions& conditions);
    void setCount(std::size_t listed, std::size_t all);
    void setProblem(const QString& problem); ///< Shows why the expression is wrong; empty if it is valid.
    void focusField();

signals:
    void changed(const fleet::FleetConditions& conditions); ///< Emitted when the user changed a condition.

private:
    void change(const std::function<void(fleet::FleetConditions&)>& how);
    Pill* addSwitch(const QString& text, const QString& tip, const std::function<void(bool)>& set);
    Pill* addChip(const std::function<void(fleet::FleetConditions&)>& remove);

    FinderTitle m_titleOf;
    fleet::FleetConditions m_conditions;
    ExpressionField* m_field;
    Pill* m_all;
    Pill* m_withFindings;
    Pill* m_newest;
    Pill* m_finder;
    Pill* m_host;
    Pill* m_latency;
    QComboBox* m_age;
    QLabel* m_count;
};

} // namespace helio
