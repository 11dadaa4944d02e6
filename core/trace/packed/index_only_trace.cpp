#include "core/trace/packed/index_only_trace.h"

#include <utility>

namespace helio {
namespace {

class EmptyStream final : public EventStream {
public:
    bool next(EventBatch&) override { return false; }
    std::vector<Diagnostic> diagnostics() const override { return {}; }
};

} // namespace

IndexOnlyTrace::IndexOnlyTrace(IndexDescription description, std::filesystem::path path, std::filesystem::path stores,
                               std::shared_ptr<const PartialFolder> rest)
    : m_description(std::move(description))
    , m_recordedPath(std::exchange(m_description.info.path, std::move(path)))
    , m_stores(std::move(stores))
    , m_rest(std::move(rest))
{
    for (EventType& type : m_description.types)
        m_types.add(std::move(type));
    m_description.types.clear();
    for (StreamInfo& stream : m_description.streams)
        stream.files.clear(); // A hostile description may have paths.
}

std::unique_ptr<EventStream> IndexOnlyTrace::openStream(std::uint32_t, StreamPosition) const { return std::make_unique<EmptyStream>(); }

} // namespace helio
