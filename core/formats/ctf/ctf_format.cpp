#include "core/trace/trace.h"

namespace helio {
namespace {

std::vector<TraceSource> find(const std::filesystem::path&) { return {}; }

Result<std::shared_ptr<const Trace>> open(const TraceSource& source)
{
    return Error{Error::Kind::Unsupported, source.path.string() + ": not read yet"};
}

} // namespace

extern const TraceFormat ctfFormat{"ctf", find, open};

} // namespace helio
