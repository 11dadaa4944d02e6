#include "app/gui/fleet/fleet_data.h"

#include "widgets/time/qt_text.h"

#include <utility>

namespace helio {

using fleet::FleetConditions;
using fleet::FleetOverview;
using fleet::FleetTable;

FleetData::FleetData(QObject* parent)
    : QObject(parent)
{
    connect(&m_reader, &LatestTask::failed, this, &FleetData::failed);
}

void FleetData::open(const QString& catalogue)
{
    m_path = catalogue;
    emit readingBegun();
    m_reader.post([this, path = catalogue.toStdString()](std::stop_token stop) -> LatestTask::Delivery {
        auto read = fleet::readFleet(path, stop);
        if (!read)
            return [this, reason = text(read.error().what)] { emit failed(reason); };
        auto table = std::make_shared<const FleetTable>(std::move(*read));
        auto overview = std::make_shared<const FleetOverview>(fleet::computeOverview(*table));
        return [this, table = std::move(table), overview = std::move(overview)] {
            m_filter.cancel();
            m_table = table;
            m_overview = overview;
            m_traces.clear();
            emit this->read();
            filter();
        };
    });
}

void FleetData::setConditions(const FleetConditions& conditions)
{
    if (m_conditions == conditions)
        return;
    m_conditions = conditions;
    emit conditionsChanged();
    filter();
}

void FleetData::filter()
{
    if (!m_table)
        return;
    m_filter.post([this, table = m_table, conditions = m_conditions](std::stop_token stop) -> LatestTask::Delivery {
        auto traces = fleet::filterFleet(*table, conditions, stop);
        if (!traces)
            return [this, reason = text(traces.error().what)] { emit expressionRejected(reason); };
        return [this, traces = std::move(*traces)] {
            m_traces = traces;
            emit listed();
        };
    });
}

} // namespace helio
