#include "widgets/eventlist/event_source.h"

namespace helio {

namespace {

class TableSource final : public EventSource {
public:
    explicit TableSource(std::shared_ptr<const Timeline> timeline)
        : m_table(std::move(timeline))
    {
    }
    std::uint64_t size() const override { return m_table.size(); }
    std::vector<EventRow> rows(std::uint64_t first, std::size_t count, std::stop_token stop) override
    {
        return m_table.rows(first, count, stop);
    }
    std::vector<EventRow> rows(std::span<const std::uint64_t> numbers, std::stop_token stop) override
    {
        return m_table.rows(numbers, stop);
    }
    std::uint64_t indexAt(Timestamp at, std::stop_token stop) override { return m_table.indexAt(at, stop); }

private:
    EventTable m_table;
};

} // namespace

EventSourceMaker makeEventSource(std::shared_ptr<const Timeline> timeline)
{
    if (!timeline)
        return {};
    return [timeline] { return std::make_unique<TableSource>(timeline); };
}

} // namespace helio
