// Metrics of a route: what its path is like, and what TCP should make of it.
#include <cmath>

#include "netlink/ip/route.hpp"
#include "netlink/uapi.hpp"

namespace nlstream::ip {
namespace {

struct MetricTime {
    u32 value;
    bool bare;  // without a unit
};

/// Milliseconds, rounded up: "10", "1.5ms", "2s".
MetricTime read_metric_time(Word const& word) {
    constexpr std::string_view expected = "a time such as 20ms or 1s";
    std::string_view rest;
    double time = 0;
    if (word.text.find('.') != word.text.npos) {
        auto const number = parse_double(word.text, rest);
        if (!number || !(*number >= 0)) fail_value(word, "a time", expected);
        time = *number;
    } else {
        // Without a dot any base will do.
        auto const text = word.text.substr(word.text.starts_with('+'));
        auto const hex = text.starts_with("0x") || text.starts_with("0X");
        auto const end = text.find_first_not_of(hex ? "0123456789abcdefABCDEFxX" : "0123456789");
        auto const number = parse_number(text.substr(0, end));
        if (!number) fail_value(word, "a time", expected);
        time = static_cast<double>(*number);
        if (end != text.npos) rest = text.substr(end);
    }
    if (equal_ignoring_case(rest, "s") || equal_ignoring_case(rest, "sec") || equal_ignoring_case(rest, "secs")) time *= 1000;
    else if (!(rest.empty() || equal_ignoring_case(rest, "ms") || equal_ignoring_case(rest, "msec") || equal_ignoring_case(rest, "msecs")))
        fail_value(word, "a time", expected);
    time = std::ceil(time);
    if (time > 4294967295.0) fail_range(word, "at most 4294967295 milliseconds");
    return {static_cast<u32>(time), rest.empty()};
}

}  // namespace

void Metrics::add(Line& line, u16 type, u32 value, bool is_text) {
    if (count_ == metrics_.size()) fail_use(line.last(), "the line has too many metrics");
    metrics_[count_++] = {type, is_text, value, &line.last()};
}

void Metrics::read_lock(Line& line, u16 metric) {
    if (line.take_if("lock")) locked_ |= 1u << metric;
}

void Metrics::read_number(Line& line, u16 metric, u64 max) {
    read_lock(line, metric);
    add(line, metric, static_cast<u32>(nlstream::read_number(line.take("a number"), 0, max)));
}

void Metrics::read_switch(Line& line, u16 metric) { add(line, metric, static_cast<u32>(nlstream::read_number(line.take("0 or 1"), 0, 1))); }

void Metrics::read_time(Line& line, u16 metric, u32 scale) {
    read_lock(line, metric);
    auto const& word = line.take("TIME");
    auto const time = read_metric_time(word);
    auto const value = time.bare ? time.value : u64{time.value} * scale;
    if (value > 0xffffffff) fail_range(word, "at most " + std::to_string(0xffffffff / scale) + " milliseconds");
    add(line, metric, static_cast<u32>(value));
}

void Metrics::read_rto_min(Line& line) {
    locked_ |= 1u << RTAX_RTO_MIN;
    add(line, RTAX_RTO_MIN, read_metric_time(line.take("TIME")).value);
}

void Metrics::read_congestion_control(Line& line) {
    read_lock(line, RTAX_CC_ALGO);
    line.take("NAME");
    add(line, RTAX_CC_ALGO, 0, true);
}

void Metrics::read_features(Line& line) {
    u32 features = 0;
    while (true) {
        if (line.take_if("ecn")) features |= RTAX_FEATURE_ECN;
        else if (line.take_if("tcp_usec_ts")) features |= RTAX_FEATURE_TCP_USEC_TS;
        else break;
    }
    if (!features) fail_value(line.take("ecn or tcp_usec_ts"), "a feature", "ecn or tcp_usec_ts");
    add(line, RTAX_FEATURES, features);
}

void Metrics::put(Line& line) const {
    if (!count_) return;
    line.out.source(metrics_[0].word->span);
    line.out.nest(RTA_METRICS, [&] {
        for (auto const& metric : std::span(metrics_).first(count_)) {
            line.out.source(metric.word->span);
            if (metric.is_text) line.out.put_text(metric.type, metric.word->text);
            else line.out.put(metric.type, metric.value);
        }
        if (locked_) line.out.put(RTAX_LOCK, locked_);
    });
}

}  // namespace nlstream::ip
