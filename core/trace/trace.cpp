#include "core/trace/trace.h"

#include <algorithm>
#include <utility>

namespace helio {

std::string_view groundOf(Recognition recognition)
{
    switch (recognition) {
    case Recognition::Guess: return "by a guess";
    case Recognition::Structure: return "by its structure";
    case Recognition::Signature: return "by its magic number";
    }
    return {};
}

std::string_view wordOf(Recognition recognition)
{
    switch (recognition) {
    case Recognition::Guess: return "guess";
    case Recognition::Structure: return "structure";
    case Recognition::Signature: return "signature";
    }
    return {};
}

const EnvironmentValue* TraceInfo::find(std::string_view key) const
{
    const auto it = std::find_if(environment.begin(), environment.end(), [&](const auto& entry) { return entry.first == key; });
    return it == environment.end() ? nullptr : &it->second;
}

std::string TraceInfo::text(std::string_view key) const
{
    const auto* value = find(key);
    const auto* text = value ? std::get_if<std::string>(value) : nullptr;
    return text ? *text : std::string();
}

std::int64_t TraceInfo::number(std::string_view key, std::int64_t fallback) const
{
    const auto* value = find(key);
    const auto* number = value ? std::get_if<std::int64_t>(value) : nullptr;
    return number ? *number : fallback;
}

namespace {

class AlreadyOpened final : public TraceOpening {
public:
    AlreadyOpened(std::shared_ptr<const Trace> trace, std::vector<EmbeddedText> embedded)
        : m_trace(std::move(trace))
        , m_embedded(std::move(embedded))
    {
    }
    std::shared_ptr<const Trace> provisionalTrace() const override { return m_trace; }
    Result<std::shared_ptr<const Trace>> finish(const Publish&, std::stop_token) override { return m_trace; }
    std::vector<EmbeddedText> takeEmbedded() override { return std::exchange(m_embedded, {}); }

private:
    std::shared_ptr<const Trace> m_trace;
    std::vector<EmbeddedText> m_embedded;
};

} // namespace

std::unique_ptr<TraceOpening> makeFinishedOpening(std::shared_ptr<const Trace> trace, std::vector<EmbeddedText> embedded)
{
    return std::make_unique<AlreadyOpened>(std::move(trace), std::move(embedded));
}

Result<std::shared_ptr<const Trace>> TraceFormat::open(const TraceSource& source) const
{
    auto opening = begin(source, {});
    if (!opening)
        return opening.error();
    return (*opening)->finish({}, {});
}

} // namespace helio
