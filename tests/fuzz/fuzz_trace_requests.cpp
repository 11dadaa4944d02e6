// Fuzzer of what clients send to the trace server: the head of an HTTP request, and the parameters in its body. No input may cause a crash,
// a hang, or more memory use than the size of the text justifies.

#include "app/cli/tsp/http/http_message.h"
#include "app/cli/tsp/query_parameters.h"
#include "tests/fuzz/fuzz_input.h"

#include <algorithm>
#include <cstdlib>

using namespace helio;

namespace {

void readHead(std::string_view text)
{
    HttpRequest request;
    if (parseHead(text, request))
        return;
    // An accepted request has one meaning: one host, and one length of its body.
    const auto count = [&](std::string_view name) { return std::ranges::count(request.headers, name, &HttpFields::value_type::first); };
    if (count("host") > 1 || count("content-length") > 1 || count("transfer-encoding") > 0 || request.headers.size() > MostHeaders)
        std::abort();
    HttpResponse response = makeErrorResponse(400, text);
    if (headOf(response, false).find("\r\n\r\n") == std::string::npos)
        std::abort();
}

void readBody(std::string_view text)
{
    const auto parameters = readParameters(text);
    if (!parameters || !parameters->times)
        return;
    const RequestedTimes& times = *parameters->times;
    const auto points = pointsOf(times, 100);
    if (points.empty() || points.size() > MostTimes || !std::ranges::is_sorted(points) || points.front() != times.first
        || points.back() > times.last || resolutionOf(times, 100) < Duration(1))
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(fuzzText(data, size));
    if (text.starts_with('{'))
        readBody(text);
    else
        readHead(text);
    return 0;
}
